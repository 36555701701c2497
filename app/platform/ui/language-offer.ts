/** Shows the line `[data-offer]` (language-menu.tsx) for the preferred language of the browser. */
const closedKey = 'language-offer'

/** The language of a tag: 'zh' for 'zh-Hans' and 'zh-TW'. */
const language = (tag: string) => tag.split('-')[0]?.toLowerCase()

/** A visitor who chooses a language in the menu needs no offer of another one. */
document.addEventListener('submit', ({ target }) => {
  if ((target as Element).matches('[action="/language"]')) close()
})

const offers = [...document.querySelectorAll<HTMLElement>('[data-offer]')]
const known = [document.documentElement, ...offers]
const wanted = navigator.languages
  .map((tag) => known.find(({ lang }) => language(lang) === language(tag)))
  .find(Boolean)

if (wanted && wanted !== document.documentElement && !isClosed()) {
  wanted.hidden = false
  wanted.querySelector('button')?.addEventListener('click', () => {
    wanted.hidden = true
    close()
  })
}

function close(): void {
  try {
    localStorage.setItem(closedKey, 'closed')
  } catch {
    // Without storage, the next page shows the line again.
  }
}

function isClosed(): boolean {
  try {
    return localStorage.getItem(closedKey) !== null
  } catch {
    return false
  }
}
