import {
  applied,
  bareFirst,
  calledFirst,
  calledName,
  calledVariable,
  identifier,
  isVariable,
  member,
  pythonModule,
  type Rewrite,
  sent,
  symbol,
} from './called-names.ts'
import { callFunction } from './functions.ts'
import type { Language } from './language.ts'

/** How each language computes names. To cover another way, add a line. */
export const rewrites: Readonly<Partial<Record<Language, readonly Rewrite[]>>> = {
  python: [
    { pattern: /(?<![.\w])(?:__import__|(?:importlib\.)?import_module|importlib\.__import__)\s*\(/g, as: pythonModule },
    { pattern: /\bsys\.modules\s*\[/g, as: pythonModule },
    {
      pattern: /(?<![.\w])getattr\s*\(/g,
      as: ({ args, values }) => (identifier(values[1]) === null ? null : `${args[0]?.trim()}.${values[1]}`),
    },
    { pattern: /(?<![.\w])(?:globals|locals|vars)\(\)\s*\[/g, as: ({ values }) => identifier(values[0]) },
    {
      pattern: /(?<![.\w])vars\(\s*(\w+)\s*\)\s*\[/g,
      as: ({ values, match }) => (identifier(values[0]) === null ? null : `${match[1]}.${values[0]}`),
    },
    { pattern: /\.__dict__\s*\[/g, owned: true, as: member },
    { pattern: /(?<![.\w])__dict__\s*\[/g, as: ({ values }) => identifier(values[0]) },
    { pattern: /\.__getattribute__\s*\(/g, owned: true, as: member },
    { pattern: /(?<![.\w])__builtins__\s*\[/g, as: ({ values }) => identifier(values[0]) },
    {
      pattern: /(?<![.\w])(?:operator\.)?methodcaller\s*\(/g,
      as: ({ args, values, rest }) => {
        const owner = /^\s*\(\s*([\w.]+)/.exec(rest)?.[1]
        return owner === undefined || identifier(values[0]) === null
          ? null
          : `${owner}.${values[0]}(${args.slice(1).join(',')}`
      },
    },
    {
      pattern: /(?<![.\w])(?:operator\.)?attrgetter\s*\(/g,
      as: ({ values, rest }) => {
        const owner = /^\s*\(\s*([\w.]+)/.exec(rest)?.[1]
        return owner === undefined || identifier(values[0]) === null ? null : `${owner}.${values[0]}`
      },
    },
  ],
  javascript: [
    {
      pattern: /(?<=[\w)\]])(?:\?\.)?\[(?=[^\]\n]{1,200}\])/g,
      owned: true,
      as: parts => (/«|^\s*\w+\s*$/.test(parts.args[0] ?? '') ? member(parts) : null),
    },
    {
      pattern: /\bReflect\.(?:get|apply)\s*\(/g,
      as: ({ args, values, match }) =>
        match[0].includes('get')
          ? identifier(values[1]) && `${args[0]?.trim()}.${values[1]}`
          : `${args[0]?.trim()}(${(args[2] ?? '').replace(/^\s*\[/, '')}`,
    },
    {
      pattern: /\.call\s*\(/g,
      owned: true,
      as: ({ owner, args }) => (owner === '' ? null : `${owner}(${args.slice(1).join(',')}`),
    },
    {
      pattern: /\.(?:apply|bind)\s*\(/g,
      owned: true,
      as: ({ owner, args }) =>
        owner === ''
          ? null
          : `${owner}(${args
              .slice(1)
              .join(',')
              .replace(/^\s*\[/, '')}`,
    },
    { pattern: /\(\s*0\s*,\s*(?=[\w.]+\s*\))/g, as: ({ args }) => args[0]?.trim() ?? null },
    { pattern: /\bpromisify\s*\(/g, as: ({ args }) => args[0]?.trim() ?? null },
  ],
  ruby: [
    {
      pattern: /(?<![.\w])(?:(?:Object|Kernel|Module)\.)?const_get\s*\(/g,
      as: ({ args, values }) => identifier(symbol(args[0]) ?? values[0]),
    },
    { pattern: /\.(?:send|public_send|__send__)\s*[( ]/g, owned: true, as: sent },
    { pattern: /(?<![.\w])(?:send|public_send|__send__)\s*\(/g, as: calledFirst },
    {
      pattern: /(?:\.|(?<![.\w&]))(?:instance_|public_|singleton_)?method\s*\(/g,
      owned: true,
      as: ({ args, values, owner, rest }) => {
        const name = identifier(symbol(args[0]) ?? values[0])
        if (name === null) return null
        if (/^\s*(?:\.(?:call\b|\()|\[|===)/.test(rest)) return `${owner === '' ? '' : `${owner}.`}${name}`
        // It is kept and called later.
        return /^(?:system|exec|spawn|eval|popen|rm_rf|rm_r|remove_dir|instance_eval)$/.test(name)
          ? 'eval(later)'
          : null
      },
    },
  ],
  php: [
    {
      pattern:
        /(?<![\w>:$])(?:call_user_func|call_user_func_array|forward_static_call|register_shutdown_function|array_map|iterator_apply)\s*\(/g,
      as: calledFirst,
    },
    {
      pattern:
        /(?<![\w>:$])(?:array_walk|array_filter|array_walk_recursive|usort|uasort|uksort|array_reduce|preg_replace_callback)\s*\(/g,
      as: ({ args, values }) => (identifier(values[1]) === null ? null : `${values[1]}(${args[0]}`),
    },
    { pattern: /\$(\w+)\s*\(/g, as: calledVariable },
    {
      pattern: /(?<![\w$])\(\s*(?=[«$]|(?:hex2bin|base64_decode|str_rot13|strrev|implode)\s*\()/g,
      as: ({ values, rest }) => (/^\s*\(/.test(rest) ? identifier(values[0]) : null),
    },
    {
      // hex2bin("73797374656d")("…"); eval stands for a name that nobody knows
      pattern:
        /(?<![\w$>:])(\w*(?:hex2bin|decode|rot13|strrev|implode|join|sprintf|chr|pack|concat|strtolower|lcfirst|trim|substr|str_replace|strtr|gzinflate|gzuncompress|preg_replace))\s*\(/g,
      as: ({ args, values, match, rest }) =>
        /^\s*\(/.test(rest)
          ? (identifier(callFunction((match[1] ?? '').toLowerCase(), values, args, '')) ?? 'eval($_)')
          : null,
    },
    { pattern: /\bClosure::fromCallable\s*\(/g, as: ({ values }) => identifier(values[0]) },
    { pattern: /\bnew\s+ReflectionFunction\s*\(/g, as: ({ values }) => identifier(values[0]) },
  ],
  r: [
    { pattern: /(?<![\w.])(?:do\.call)\s*\(/g, as: parts => calledFirst(parts) ?? bareFirst(parts) },
    {
      pattern: /(?<![\w.])(?:get|match\.fun|getFunction)\s*\(/g,
      as: ({ values }) => identifier(values[0]),
    },
    { pattern: /(?<![\w.])getExportedValue\s*\(/g, as: ({ values }) => identifier(values[1]) },
    { pattern: /(?<![\w.])(?:mapply|Map|Filter)\s*\((?=\s*(?:system2?|unlink|file\.remove)\b)/g, as: bareFirst },
    {
      pattern: /(?<![\w.])(?:sapply|lapply|vapply|purrr::walk|walk|Map|Filter)\s*\(/g,
      as: ({ args }) => (/^\s*[\w.:]+\s*$/.test(args[1] ?? '') ? `${args[1]?.trim()}(${args[0]}` : null),
    },
  ],
  lua: [
    { pattern: /(?<=[\w)\]])\[(?=[^\]\n]{1,200}\])/g, owned: true, as: member },
    { pattern: /(?<![.\w])require\s*\(/g, as: ({ values }) => identifier(values[0]) },
    {
      pattern: /(?<![.\w])rawget\s*\(/g,
      as: ({ args, values }) => identifier(values[1]) && `${args[0]?.trim()}.${values[1]}`,
    },
  ],
  perl: [
    { pattern: /\\&\s*\{\s*(?=[$«])/g, as: ({ values }) => identifier(values[0]) },
    { pattern: /&\s*\{\s*(?=[a-z]\w{2,20}\s*\})/g, as: ({ args }) => args[0]?.trim() ?? null },
    { pattern: /&\s*\{\s*(?:\\&)?\s*(?=[$«])/g, as: ({ values }) => identifier(values[0]) },
    { pattern: /(?:&\s*\$(\w+)|\$(\w+)\s*->)\s*\(/g, as: calledVariable },
    { pattern: /(?:«\d+»|\b\w+)->can\s*\(/g, as: ({ values }) => identifier(values[0]) },
  ],
  elixir: [
    {
      pattern: /(?<![.\w])(?::erlang\.)?apply\s*\(/g,
      as: parts => (isVariable(parts) ? 'Code.eval_string(unknown)' : applied(parts, '.')),
    },
    {
      pattern: /\bModule\.(?:safe_)?concat\s*\(/g,
      as: ({ values }) => identifier(values.join('').replaceAll('\x01', '')),
    },
    {
      // Function.capture(:os, :cmd, 1).(…)
      pattern: /\bFunction\.capture\s*\(/g,
      as: ({ args, values }) => calledName(args, values, '.'),
    },
  ],
  erlang: [{ pattern: /(?<![.\w])(?:erlang:)?apply\s*\(/g, as: parts => applied(parts, ':') }],
  julia: [
    {
      pattern: /(?<![.\w])(?:getfield|getproperty|getglobal)\s*\(/g,
      as: ({ args, values }) =>
        /^\s*(?:Main|Base|Core|Base\.Filesystem|@__MODULE__)\s*$/.test(args[0] ?? '')
          ? identifier(symbol(args[1]) ?? values[1])
          : null,
    },
    { pattern: /(?<!\w)(?:Base\.)?invoke(?:latest)?\s*\(/g, as: parts => bareFirst(parts) },
  ],
}
