import { describe, expect, it } from 'vitest'
import { classify } from '../../src/guard/index.ts'
import { project } from './classify-in-project.ts'
import { look, messages } from './look-in-project.ts'

const push = 'overwrites history that others have'
const pushes = '#!/bin/bash\nset -e\n\necho "pushing"\ngit push --force origin main\n'

describe('a shell script of the workspace', () => {
  it.each([
    ['bash go.sh', [5, 10]],
    ['sh -e ./go.sh prod', [6, 13]],
    ['./go.sh', [0, 7]],
    ['cd x && ../go.sh', [8, 16]],
    ['source go.sh', [7, 12]],
    ['. ./go.sh', [2, 9]],
    ['sudo bash go.sh', [10, 15]],
    ['timeout 5 ./go.sh', [10, 17]],
    ['bash < go.sh', [0, 12]],
    ['cat go.sh | sh', [12, 14]],
    ['/home/me/project/go.sh', [0, 22]],
    ['find . -name x -exec ./go.sh {} ;', [21, 28]],
    ["bash -c 'cd x; ../go.sh'", [8, 24]],
  ])('is judged as if it stood in the command: %s', (command, span) => {
    const { opened, segments, segmentsInFiles, ...found } = look({ 'go.sh': pushes }, command)
    expect(found).toEqual({
      verdict: 'ask',
      severity: 'high',
      reasons: [{ rule: 'git/push-force', message: `go.sh line 5 ${push}`, span, file: 'go.sh', line: 5 }],
      // A safer command would be another line of the script.
      safer: null,
      looked: ['/home/me/project/go.sh'],
    })
    expect(segments.some(({ argv }) => argv[0] === 'git')).toBe(false)
    expect(segmentsInFiles.map(({ argv }) => argv.join(' '))).toContain('git push --force origin main')
  })

  it.each([
    'cat go.sh',
    'bash -n go.sh',
    'chmod +x go.sh',
    'shellcheck go.sh',
    'ssh host ./go.sh',
    'docker run -it alpine sh go.sh',
    'echo "ls" > go.sh && bash go.sh',
    'bash "$SCRIPT"',
    'bash *.sh',
  ])('is not opened where it is not run, or where another file is meant: %s', command => {
    const { verdict, opened } = look({ 'go.sh': pushes }, command)
    expect({ verdict, opened }).toEqual({ verdict: 'allow', opened: [] })
  })

  it('is not opened without a reader', () => {
    expect(classify('bash go.sh', project)).toMatchObject({ verdict: 'allow', looked: [], segmentsInFiles: [] })
  })

  it('gets its arguments, its own path and the variables before it', () => {
    const files = {
      'bin/clean.sh':
        'ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"\nrm -rf "$ROOT/dist"\nrm -rf "$1"\nrm -rf "$DATA"\n',
    }
    expect(messages(files, 'DATA=/tmp/x bash bin/clean.sh build')).toEqual([])
    expect(messages(files, 'DATA=/tmp/x bash bin/clean.sh ~/Documents')).toEqual([
      'bin/clean.sh line 3 deletes files outside the workspace',
    ])
    expect(messages(files, 'DATA=/etc ./bin/clean.sh')).toEqual(['bin/clean.sh line 4 deletes system files'])
    // Each call is judged with its own arguments.
    expect(messages(files, 'DATA=/tmp/x; bin/clean.sh build; bin/clean.sh /etc')).toEqual([
      'bin/clean.sh line 3 deletes system files',
    ])
  })

  it('may run others, whose lines are named; the part of the command that started it all is marked', () => {
    const files = {
      'a.sh': 'cd sub\n. ../lib.sh\n./b.sh\n',
      'sub/b.sh': 'echo b\nwipe\n../a.sh\n',
      'lib.sh': '# functions\nwipe() {\n  rm -rf ~/Documents\n}\nwipe\n',
    }
    expect(look(files, 'true; bash a.sh')).toMatchObject({
      reasons: [
        { message: 'lib.sh line 3 deletes files outside the workspace', span: [11, 15], file: 'lib.sh', line: 3 },
      ],
      opened: ['a.sh', 'lib.sh', 'sub/b.sh'].map(name => `/home/me/project/${name}`),
    })
    // A function that a file defines keeps the file's lines wherever it is called.
    expect(messages({ 'lib.sh': 'wipe() {\n  rm -rf "$1"\n}\n' }, '. ./lib.sh && wipe ~/Documents')).toEqual([
      'lib.sh line 2 deletes files outside the workspace',
    ])
  })

  it('ends where scripts run each other in a circle', () => {
    const files = { 'a.sh': './b.sh "$1"\n', 'b.sh': './a.sh "$1"\n', 'c.sh': './c.sh "$1$1"\n' }
    expect(look(files, './a.sh x')).toMatchObject({ verdict: 'allow', looked: { length: 2 } })
    expect(look(files, './c.sh x').verdict).toBe('allow')
  })

  it('keeps the verdict of today where something is known only at run time, cannot be parsed or is too much', () => {
    const many = ':\n'.repeat(30_000)
    const files = {
      'run.sh': '"$@"\n$CMD\neval "$CODE"\nbash -c "$X"\n',
      'odd.fish': 'function x; if true; end; end )\n',
      'many.sh': `${many}\ngit push --force\n`,
      'large.sh': `${'# x\n'.repeat(30_000)}git push --force\n`,
      'binary.sh': '\u0001\u0002',
    }
    for (const name of Object.keys(files)) expect(messages(files, `bash ${name}`), name).toEqual([])
    // What was found before the limit stands, and the rest of the command is judged as always.
    expect(messages({ 'x.sh': `git push --force\n${many}` }, 'bash x.sh; rm -rf ~')).toEqual([
      'deletes your home folder',
      `x.sh line 1 ${push}`,
    ])
  })

  it('never shows its text, and its name cannot pass for something else', () => {
    const name = 'x\u001b[31m\nallow.sh'
    const [reason] = look({ [name]: 'TOKEN=s3cr3t git push --force\n' }, `bash $'x\\e[31m\\nallow.sh'`).reasons
    expect(reason?.message).toBe(`x\\x1b[31m allow.sh line 1 ${push}`)
  })

  it('is denied where the command would be', () => {
    expect(look({ 'x.sh': 'rm -rf /\n' }, './x.sh')).toMatchObject({ verdict: 'deny', severity: 'critical' })
  })

  it('stays unknown when the reader fails', () => {
    const readFile = () => {
      throw new Error('no')
    }
    expect(classify('bash go.sh', { ...project, readFile }).verdict).toBe('allow')
  })
})

describe('code in other languages', () => {
  const python =
    '"""Cleans\nup."""\nimport os, shutil\n\nshutil.rmtree(cache)\nshutil.rmtree(\n    "/etc/app",\n)\nos.system("git push --force")\n'

  it.each(['python3 tool.py', './tool.py', 'python tool.py --all', 'python -m tool', 'uv run python tool.py'])(
    'names the line of a call: %s',
    command => {
      expect(messages({ 'tool.py': python }, command)).toEqual([
        'tool.py line 6 deletes system files',
        `tool.py line 9 ${push}`,
      ])
    },
  )

  it.each([
    'node scripts/x.js',
    'node scripts/x',
    'bun scripts/x.js',
    'bun run scripts/x.js',
    'deno run -A scripts/x.js',
    'tsx scripts/x.js',
  ])('finds the file as the program does: %s', command => {
    const text = "import { execSync } from 'node:child_process'\n/* a\n b */\nexecSync('git push --force')\n"
    expect(messages({ 'scripts/x.js': text }, command)).toContain(`scripts/x.js line 4 ${push}`)
  })

  it('reads what starts with another interpreter in its own language', () => {
    expect(messages({ x: '#!/usr/bin/env ruby\nFileUtils.rm_rf("/etc")\n' }, './x')).toEqual([
      'x line 2 deletes system files',
    ])
    expect(messages({ x: '#!/usr/bin/perl\nunlink("/etc/passwd");\n' }, './x')).toEqual([
      'x line 2 deletes system files',
    ])
  })

  it('does not take a program for dangerous because it computes its paths and commands', () => {
    const text =
      'import shutil, subprocess, sys\nshutil.rmtree(sys.argv[1])\nsubprocess.run(command)\nexec(code)\nopen(name, "w")\n'
    expect(messages({ 'x.py': text }, 'python x.py out')).toEqual([])
  })

  it('does not read installed packages', () => {
    const files = { 'node_modules/x/cli.js': 'require("child_process").execSync("git push --force")\n' }
    expect(messages(files, 'node node_modules/x/cli.js')).toEqual([])
  })
})
