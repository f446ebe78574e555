import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// Everything but the page itself is in assets/: the server sends the page for any other path.
export default defineConfig({
  root: import.meta.dirname,
  publicDir: 'public',
  plugins: [withoutSummaries(), react()],
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
    // All that the first picture needs is one file: a browser gets six at a time, and on a slow line each batch waits anew.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] } } },
  },
  // For development beside a running `beckon serve`.
  server: { proxy: { '/api': process.env.BECKON_URL ?? 'http://127.0.0.1:4141' } },
})

/** The page calls operations by the table, and has no use for what it says about them. */
function withoutSummaries(): Plugin {
  return {
    name: 'without-summaries',
    enforce: 'pre',
    transform: (code, id) =>
      /src\/protocol\/operations\//.test(id)
        ? code.replaceAll(/\bsummary:\s*('[^'\n]*'|"[^"\n]*"|`[^`]*`),/g, '')
        : null,
  }
}
