import { defineConfig } from 'vite'

// For those who work on the console; what is served is built by build/console.js. No plugin: Vite knows JSX.
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  logLevel: 'warn',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  server: { proxy: { '/admin': 'http://127.0.0.1:3000', '/api': 'http://127.0.0.1:3000' } },
})
