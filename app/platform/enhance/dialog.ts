import { say } from '../locales/say'
import { addCopyButtons } from './copying'
import type { pageSentences } from './sentences'

let shown: { dialog: HTMLDialogElement; href: string } | undefined

/**
 * Shows the section `data-detail` of `page` as a modal dialog, unless a dialog is open already. `push` adds
 * `href` to the history. Throws if the page has no such section.
 */
export function showDialog(page: Document, href: string, push: boolean): void {
  if (shown) return
  const section = page.querySelector<HTMLElement>('[data-detail]')
  if (!section) throw new Error('no section')
  const dialog = document.createElement('dialog')
  dialog.className = 'detail'
  dialog.setAttribute('aria-labelledby', section.getAttribute('aria-labelledby') ?? '')
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'detail-close'
  close.setAttribute('aria-label', say<typeof pageSentences>('closeDialog'))
  close.textContent = '✕'
  close.addEventListener('click', () => dialog.close())
  dialog.appendChild(close)
  dialog.appendChild(section)
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog && isOutside(event, dialog)) dialog.close()
  })
  const formerTitle = document.title
  dialog.addEventListener('close', () => {
    shown = undefined
    dialog.remove()
    document.title = formerTitle
    if (location.href === href) history.back()
  })
  document.body.appendChild(dialog)
  addCopyButtons(dialog)
  if (push) history.pushState({ dialog: href }, '', href)
  document.title = page.title
  dialog.showModal()
  shown = { dialog, href }
}

function isOutside({ clientX, clientY }: MouseEvent, element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

/** The browser's Back button closes the dialog. */
addEventListener('popstate', () => {
  if (shown && location.href !== shown.href) shown.dialog.close()
})
