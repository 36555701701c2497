/**
 * Puts a copy button in the place of everything marked `data-copy`: what is copied stands in the mark,
 * `data-copied` may say what is announced then. Without script there is no button, or a link in its place.
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

/** A toast that script raises; an open modal holds it, since everything else is out of reach then. */
export function announce(text: string): void {
  document.querySelector('.toast-float')?.remove()
  const before = document.activeElement as HTMLElement | null
  const region = document.createElement('div')
  region.setAttribute('role', 'status')
  region.className = 'toast toast-float'
  ;(document.querySelector(':modal') ?? document.body).appendChild(region)
  // Not a dialog: Chromium would give Escape to it, open as it is, and not to the modal around it.
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
  // A live region is listened to once it is there: its text comes a moment after it.
  setTimeout(() => region.appendChild(box), 100)
}

addCopyButtons(document)
