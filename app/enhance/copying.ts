import { floatToast } from '../floating-toast'

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
        announce(`Copying is blocked in this browser. Copy it by hand: ${copy}`, true)
      }
    })
    place.replaceWith(button)
  }
}

/** Shows a sentence as a toast. It stays if the visitor has to copy from it. */
export function announce(text: string, stays = false): void {
  const sentence = document.createElement('p')
  sentence.className = 'min-w-0 self-center wrap-anywhere'
  sentence.textContent = text
  floatToast(sentence, { stays })
}

addCopyButtons(document)
