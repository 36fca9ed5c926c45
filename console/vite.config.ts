import { defineConfig } from 'vite'

// No plugin: the compiler that is part of Vite knows JSX, and nothing else is needed.
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  logLevel: 'warn',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: 'es2023',
    outDir: '../dist/console',
    emptyOutDir: false,
    assetsDir: 'assets',
    // The policy of the page allows no inline content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // It looks for code that nobody uses, and finds none: a quarter of the build's time for 200 bytes.
    rollupOptions: { treeshake: false },
  },
  server: { proxy: { '/admin': 'http://127.0.0.1:3000', '/api': 'http://127.0.0.1:3000' } },
})
