/** Changes the page's global objects, depending on the seed in the cookie `changes` (elements.js). */
{
  const [, cookie = ''] = /(?:^|; )changes=(\d+)/.exec(document.cookie) ?? []
  const seed = Number(cookie)

  // As SES, which wallets load.
  if (cookie && seed % 3 === 0)
    for (const shared of [
      Object,
      Function,
      Array,
      String,
      Number,
      Promise,
      Map,
      Set,
      RegExp,
      Date,
      Error,
      JSON,
      Math,
      Reflect,
    ])
      for (const object of [shared, shared.prototype]) if (object) Object.freeze(object)

  // As a browser that blocks the data of sites.
  if (cookie && seed % 4 === 0)
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'BroadcastChannel'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('denied', 'SecurityError')
        },
      })
}
