// Takes the place of a package in the worker (vite.config.ts).
export {}
