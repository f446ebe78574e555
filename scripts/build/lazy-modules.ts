import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BuildOptions, build, type Plugin, transform } from 'esbuild'
import { compiledModule } from './compile-statements.ts'
import { lateChildProcess } from './late-child-process.ts'
import { bundledSqliteDriver } from './sqlite-driver.ts'

/** Programs of their own, which no other module imports. */
const programs = ['agent/tools/search/main.ts', 'supervisor/holder/main.ts']

/**
 * A module of ours runs when one of its exports is first used, not when the program starts: a command pays for what it
 * does, however many commands there are. All of a module is in one function, which V8 does not even look into before; so
 * is each package.
 */
export async function lazyModules(options: BuildOptions & { absWorkingDir: string }) {
  const source = join(options.absWorkingDir, 'src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  const names = files.filter(name => /(?<!\.d)\.ts$/.test(name) && !programs.includes(name))
  const read = names.map(async name => [join(source, name), await asCommonJs(await sourceOf(source, name))] as const)
  const modules = new Map(await Promise.all(read))
  const packages = await bundlePackages(usedOfPackages([...modules.values()]), options)
  const plugin: Plugin = {
    name: 'lazy-modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir }) => {
        const file = join(resolveDir, path)
        return modules.has(file) ? { path: file, namespace: 'lazy' } : undefined
      })
      onResolve({ filter: /^package:/ }, ({ path }) => ({ path, namespace: 'package' }))
      onLoad({ filter: /^/, namespace: 'lazy' }, ({ path }) => {
        return { contents: loadWhenUsed(path, modules), loader: 'js', resolveDir: dirname(path) }
      })
      onLoad({ filter: /^/, namespace: 'package' }, ({ path }) => {
        return { contents: packages.get(path.slice('package:'.length))?.code ?? '', loader: 'js', resolveDir: source }
      })
    },
  }
  return { plugin, metafiles: Array.from(packages.values(), ({ metafile }) => metafile) }
}

/** Each package in a file of its own, with what we use of it. */
async function bundlePackages(used: ReadonlyMap<string, ReadonlySet<string>>, options: BuildOptions) {
  const specifiers = Map.groupBy(used.keys(), nameOfPackage)
  const bundled = Array.from(specifiers, async ([name, all]) => {
    const lines = all.map(from => {
      const names = Array.from(used.get(from) ?? [], property => `${property} as ${nameInBundle(from, property)}`)
      return `export { ${names.join(', ')} } from "${from}"`
    })
    const stdin = { contents: lines.join('\n'), resolveDir: options.absWorkingDir ?? '.' }
    const { outputFiles, metafile } = await build({
      ...options,
      external: options.external?.filter(other => other !== 'better-sqlite3') ?? [],
      plugins: [bundledSqliteDriver, lateChildProcess],
      stdin,
      write: false,
      metafile: true,
    })
    return [name, { code: outputFiles[0]?.text ?? '', metafile }] as const
  })
  return new Map(await Promise.all(bundled))
}

function nameOfPackage(from: string): string {
  return /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from
}

/** Parts of one package may export the same name. */
function nameInBundle(from: string, property: string): string {
  return `${from.replaceAll(/\W/g, '_')}_${property}`
}

async function sourceOf(folder: string, name: string): Promise<string> {
  return name === 'store/sqlite/compiled.ts' ? compiledModule() : readFile(join(folder, name), 'utf8')
}

/** Here every use of an import is written as `import_name.export`, whatever else has the same name. */
async function asCommonJs(source: string): Promise<string> {
  const { code } = await transform(source, {
    loader: 'ts',
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    // src/system/programs.ts knows what to do without.
    logOverride: { 'empty-import-meta': 'silent' },
  })
  return code
}

const imported = /^var (\w+) = (?:__toESM\()?require\("([^"]+)"\)(?:, 1\))?\)?;$/gm
const isModule = /^\..*\.ts$/
const isPackage = /^(?!\.|node:)/

/** What our modules use of each package. */
function usedOfPackages(modules: readonly string[]): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>()
  for (const code of modules) {
    for (const [, name = '', from = ''] of code.matchAll(imported)) {
      if (!isPackage.test(from)) continue
      const names = used.get(from) ?? new Set()
      used.set(from, names)
      for (const [, property = ''] of code.matchAll(new RegExp(`(?<![\\w$])${name}\\.(\\w+)`, 'g'))) names.add(property)
    }
  }
  return used
}

// What esbuild writes around a module, again in every one of them.
const helpers = /^(?:"use strict";\n)?(?:var __\w+ = [^\n]*\n(?:[ })][^\n]*\n)*)*/
const exporting = /^var \w+ = \{\};\n(?:__export\(\w+, (\{\n[\s\S]*?^\})\);\n)?module\.exports = __toCommonJS\(\w+\);$/m
const exportName = /^ {2}(\w+): \(\) => /gm
const reExporting = /^__reExport\(\w+, require\("([^"]+)"\), module\.exports\);$/gm
const annotation = /^\/\/ Annotate the CommonJS export names[\s\S]*$/m

/** What all modules share: how they export. */
export const sharedHelpers =
  'var $export=(to,all)=>{for(var name in all)Object.defineProperty(to,name,{get:all[name],enumerable:true})};'

/** The module with imports that load what they name when it is used. */
function loadWhenUsed(path: string, modules: ReadonlyMap<string, string>): string {
  const code = modules.get(path) ?? ''
  const lazy = new Map<string, string>()
  const bare = code
    .replace(helpers, '')
    .replace(exporting, (_, getters) => (getters ? `$export(exports, ${getters});` : ''))
    .replace(reExporting, (_, from) => {
      const names = exportsOf(join(dirname(path), from), modules)
      return `$export(exports, { ${names.map(name => `${name}: () => require("${from}").${name}`).join(', ')} });`
    })
    .replace(annotation, '')
  if (/\b__(export|toESM|toCommonJS|reExport)\(/.test(bare.replace(imported, '')))
    throw new Error(`Not understood:\n${bare}`)
  const declared = bare.replace(imported, (_, name: string, from: string) => {
    const isOther = !isPackage.test(from) && !isModule.test(from) && !from.startsWith('node:')
    // A text or JSON.
    if (isOther) return `var ${name} = { default: require("${from}") };`
    lazy.set(name, from)
    return `var ${name}$module, ${name}$ = () => ${name}$module ??= require("${isPackage.test(from) ? `package:${nameOfPackage(from)}` : from}");`
  })
  if (lazy.size === 0) return declared
  // With parentheses after `new`, which would take the function for the class.
  const uses = new RegExp(`(?<![\\w$])(new )?(${[...lazy.keys()].join('|')})\\.(\\w+)`, 'g')
  return declared.replace(uses, (_, made: string | undefined, name: string, property: string) => {
    const from = lazy.get(name) ?? ''
    const used = `${name}$().${isPackage.test(from) ? nameInBundle(from, property) : property}`
    return made ? `new (${used})` : used
  })
}

/** By name, so that a module that passes on the exports of others does not load all of them. */
function exportsOf(path: string, modules: ReadonlyMap<string, string>): string[] {
  const code = modules.get(path) ?? ''
  const own = Array.from(exporting.exec(code)?.[1]?.matchAll(exportName) ?? [], ([, name = '']) => name)
  const passedOn = Array.from(code.matchAll(reExporting), ([, from = '']) =>
    exportsOf(join(dirname(path), from), modules),
  )
  return [...own, ...passedOn.flat()]
}
