import { defineConfig } from 'vite';

const built = '../src/main/resources/dev/halfcell/rest/dashboard';

/** Few files with the same names in each build: the server sends them with an ETag. */
export default defineConfig({
  base: './',
  build: {
    outDir: process.env['DASHBOARD_OUT'] ?? built,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    reportCompressedSize: false,
    rollupOptions: {
      output: {
        entryFileNames: 'assets/dashboard.js',
        assetFileNames: 'assets/dashboard[extname]',
      },
    },
  },
});
