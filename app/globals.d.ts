interface ImportMetaEnv {
  /** The id of the build. */
  readonly RELEASE: string
}

declare module 'react-dom/server.browser' {
  const server: Pick<typeof import('react-dom/server'), 'renderToStaticMarkup' | 'renderToReadableStream'>
  export default server
}

declare module 'react-dom/streams' {
  const streams: Pick<typeof import('react-dom/server'), 'renderToReadableStream'>
  export default streams
}

interface CacheStorage {
  /** The cache of the data centre, which the platform adds. */
  readonly default: Cache
}
