declare module 'virtual:remix/server-build' {
  const build: import('./router.server').LazyBuild
  export = build
}
