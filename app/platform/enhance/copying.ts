import { floatToast } from '../forms/floating-toast'
import { say } from '../locales/say'
import type { pageSentences } from './sentences'

/**
 * Replaces each `data-copy` element with a button that copies the attribute's value. `data-copied` is the
 * announcement. Without JavaScript or clipboard access, the element stays as it is: invisible, or a link.
 */
export function addCopyButtons(root: Document | Element): void {
  if (!navigator.clipboard) return
  for (const place of root.querySelectorAll<HTMLElement>('[data-copy]')) {
    const { copy = '', copied } = place.dataset
    const button = document.createElement('button')
    button.type = 'button'
    button.className = place.className.replace('invisible', '')
    ;(button as ParentNode).append(...place.childNodes)
    button.addEventListener('click', () => copyText(copy, copied))
    place.replaceWith(button)
  }
}

/** Copies a text and says so. If the browser refuses, the toast has the text and does not disappear. */
export async function copyText(text: string, copied?: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    announce(copied ?? say<typeof pageSentences>('copied'))
  } catch {
    announce(say<typeof pageSentences>('notCopied', { text }), true)
  }
}

function announce(text: string, stays = false): void {
  const sentence = document.createElement('p')
  sentence.className = 'min-w-0 self-center wrap-anywhere'
  sentence.textContent = text
  floatToast(sentence, { stays })
}

addCopyButtons(document)
