import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// Everything but the page itself is in assets/: the server sends the page for any other path.
export default defineConfig({
  root: import.meta.dirname,
  publicDir: 'public',
  // Scripts and styles find each other by their own addresses, below whatever path the server is reached.
  base: './',
  plugins: [forCallers(), react(), startsEarly()],
  build: {
    outDir: join(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    // Inline nothing: the content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    // For light-dark(), which gives each colour a light and a dark value.
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    reportCompressedSize: false,
    // All that the first picture needs is one file, apart from what calls the API meanwhile: a browser gets six files at
    // a time, and on a slow line each batch waits anew.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', test: /web\/src\/start\.ts$/, priority: 2 },
            { name: 'page', tags: ['$initial'], priority: 1 },
          ],
        },
      },
    },
  },
  // For development beside a running `beckon serve`.
  server: { proxy: { '/api': process.env.BECKON_URL ?? 'http://127.0.0.1:4141' } },
})

/** The page calls operations by the table, and has no use for what only the server and the documentation read there. */
function forCallers(): Plugin {
  const text = /('[^'\n]*'|"[^"\n]*"|`[^`]*`)/.source
  const unused = [
    `(summary|owner|result|scope): *\n? *(${text}|null)`,
    String.raw`statuses: *(\w+|\{[^{}]*\})`,
    '(handler|serverOnly|compressible): true',
  ]
  const fields = new RegExp(`\\b(${unused.join('|')}),?`, 'g')
  return {
    name: 'for-callers',
    enforce: 'pre',
    transform: (code, id) => (/src\/protocol\/operations\//.test(id) ? code.replaceAll(fields, '') : null),
  }
}

/**
 * What calls the API runs as soon as it is there: `async`, and after the page, whose file is larger and goes first.
 * Markdown comes beside the page instead of after it.
 */
function startsEarly(): Plugin {
  return {
    name: 'starts-early',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const [start = ''] = /\s*<script [^>]*\/start-[^>]*><\/script>/.exec(html) ?? []
        const markdown = Object.keys(bundle).find(file => /\/markdown-.*\.js$/.test(file))
        const later = `${start.replace('<script', '<script async')}\n    <link rel="modulepreload" crossorigin href="./${markdown}">`
        const complete = html.replace(start, '').replace(/\s*<\/head>/, end => `${later}${end}`)
        // The page itself is served for many paths: it names its files from the root, and the server adds its own path.
        return complete.replaceAll(/(href|src)="\.\//g, '$1="/')
      },
    },
  }
}
