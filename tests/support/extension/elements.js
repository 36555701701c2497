/**
 * Changes the elements of a page as extensions and a browser's translation do, at moments that the seed in the cookie
 * `changes` determines. The same seed makes the same changes.
 */
{
  const [, cookie = ''] = /(?:^|; )changes=(\d+)/.exec(document.cookie) ?? []
  let state = Number(cookie)
  const draw = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const one = (list) => list[draw(list.length)]

  /** Anything that a password manager, a wallet or a dark mode adds, next to or inside any element. */
  const add = () => {
    const places = document.querySelectorAll(
      one(['html', 'head', 'head *', 'body', 'body > *', 'main *', 'form', 'input']),
    )
    if (places.length === 0) return
    const added = document.createElement(
      one(['div', 'script', 'template', 'style', 'x-wallet', 'input', 'svg']),
    )
    if (added.localName === 'div') added.attachShadow({ mode: 'closed' }).textContent = 'Fill in'
    one(places).insertAdjacentElement(one(['beforebegin', 'afterbegin', 'beforeend', 'afterend']), added)
  }

  const mark = () => {
    const element = one(document.querySelectorAll('html, body, main *'))
    element?.setAttribute(
      one(['data-lt', 'cz-shortcut-listen', 'lang', 'class', 'autocomplete', 'aria-label']),
      'x',
    )
  }

  /** As Chromium's translation: each text becomes another one inside two elements. */
  const translate = () => {
    const walker = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode)
    for (const text of texts) {
      if (text.parentElement.closest('script, style, title, font')) continue
      const outer = document.createElement('font')
      outer.appendChild(document.createElement('font')).textContent = `${text.data} ·`
      text.replaceWith(outer)
    }
  }

  /** As a filter list. */
  const remove = () => one(document.querySelectorAll('img, main p, footer *'))?.remove()

  if (cookie) {
    if (draw(4) === 0) {
      const first = new MutationObserver(() => {
        first.disconnect()
        add()
      })
      first.observe(document, { childList: true, subtree: true })
    }
    for (let count = 1 + draw(8); count > 0; count--)
      setTimeout(one([add, add, mark, mark, translate, remove]), draw(400))
  }
}
