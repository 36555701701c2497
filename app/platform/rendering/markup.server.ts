// React's build for edge runtimes, also for the dev server in Node; CommonJS, so a default import.
import server from 'react-dom/server.browser'

export const { renderToStaticMarkup, renderToReadableStream } = server
