import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Everything but the page itself lies in assets/: the server gives the page for any other path.
export default defineConfig({
  root: import.meta.dirname,
  publicDir: 'public',
  plugins: [react()],
  build: {
    outDir: join(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    // Nothing inlined: the page's policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    // Each colour is said once, for light and dark.
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    reportCompressedSize: false,
  },
  // For work on the page beside a running `beckon serve`.
  server: { proxy: { '/api': process.env.BECKON_URL ?? 'http://127.0.0.1:4141' } },
})
