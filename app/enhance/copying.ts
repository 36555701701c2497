/**
 * Replaces each `data-copy` element with a button that copies the attribute's value. `data-copied` is the announcement.
 * Without script there is no button, or a link in its place.
 */
export function addCopyButtons(root: Document | Element): void {
  if (!navigator.clipboard) return
  for (const place of root.querySelectorAll<HTMLElement>('[data-copy]')) {
    const { copy = '', copied = 'Copied to clipboard!' } = place.dataset
    const button = document.createElement('button')
    button.type = 'button'
    button.className = place.className
    button.classList.remove('invisible')
    for (const node of [...place.childNodes]) button.appendChild(node)
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(copy)
        announce(copied)
      } catch {
        announce(`Your browser did not let us copy. Here it is: ${copy}`)
      }
    })
    place.replaceWith(button)
  }
}

/** Shows a toast. It goes into an open modal, because the rest of the page is inert then. */
export function announce(text: string): void {
  document.querySelector('.toast-float')?.remove()
  const before = document.activeElement as HTMLElement | null
  const region = document.createElement('div')
  region.setAttribute('role', 'status')
  region.className = 'toast toast-float'
  ;(document.querySelector(':modal') ?? document.body).appendChild(region)
  // Not a dialog element: Chromium would close it on Escape instead of the modal around it.
  const box = document.createElement('div')
  box.className = 'toast-box border-good bg-good-wash'
  const sentence = document.createElement('p')
  sentence.className = 'self-center'
  sentence.textContent = text
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'toast-close'
  close.setAttribute('aria-label', 'Dismiss')
  close.textContent = '✕'
  close.addEventListener('click', () => {
    region.remove()
    before?.focus()
  })
  box.appendChild(sentence)
  box.appendChild(close)
  // Screen readers announce text only if the live region existed before it.
  setTimeout(() => region.appendChild(box), 100)
}

addCopyButtons(document)
