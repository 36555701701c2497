import { say } from '../locales/say'
import type { toastSentences } from './toast-sentences'

/** Milliseconds until a toast disappears, unless it `stays`; again after each hover or focus. */
const shownFor = 8_000
/**
 * Milliseconds between inserting a live region and inserting its text, because screen readers announce only
 * text that is added to an existing region.
 */
const announceAfter = 100

/** The position, in the window, of the element that was last clicked or activated by keyboard. */
let pressed: DOMRect | undefined
let current: HTMLElement | undefined

if (typeof document !== 'undefined')
  document.addEventListener(
    'click',
    ({ target }) => {
      pressed = (target as Element).getBoundingClientRect()
    },
    true,
  )

interface ToastOptions {
  role?: string
  /** Classes of the box. */
  tone?: string
  /** True if the toast does not disappear by itself. True by default for `role` 'alert'. */
  stays?: boolean
}

/**
 * Shows a toast over the page and removes the current toast. The new toast is a live region that gets
 * `content` shortly afterwards, and has a button that removes it. The toast moves to the top if it would
 * cover the element that was clicked last or has the focus. Returns a function that removes the toast.
 *
 * `role` is 'alert' for a destructive toast.
 */
export function floatToast(
  content: Node,
  { role = 'status', tone = 'border-good bg-good-wash', stays = role === 'alert' }: ToastOptions = {},
): () => void {
  current?.remove()
  const before = document.activeElement as HTMLElement | null
  const region = document.createElement('div')
  region.setAttribute('role', role)
  region.className = 'toast toast-float'
  // While a modal dialog is open, the rest of the page is inert.
  ;(document.querySelector(':modal') ?? document.body).appendChild(region)
  current = region

  const box = document.createElement('div')
  // Not a dialog element: on Escape, Chromium would close the toast instead of the modal dialog around it.
  box.className = `toast-box ${tone}`
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'toast-close'
  close.setAttribute('aria-label', say<typeof toastSentences>('dismiss'))
  close.textContent = '✕'
  close.addEventListener('click', () => {
    region.remove()
    before?.focus()
  })
  ;(box as ParentNode).append(content, close)

  let timer = 0
  const pause = () => clearTimeout(timer)
  const start = () => {
    pause()
    if (!stays && !region.matches(':hover, :focus-within'))
      timer = window.setTimeout(() => region.remove(), shownFor)
  }
  // A field that the visitor reaches later must not be below the toast either.
  const moveAway = ({ target }: FocusEvent) => {
    if (!region.isConnected) return document.removeEventListener('focusin', moveAway)
    const field = target as Element
    if (!region.contains(field) && overlap(region.getBoundingClientRect(), field.getBoundingClientRect()))
      region.classList.toggle('toast-top')
  }
  document.addEventListener('focusin', moveAway)
  region.addEventListener('pointerenter', pause)
  region.addEventListener('focusin', pause)
  region.addEventListener('pointerleave', start)
  region.addEventListener('focusout', () => setTimeout(start))
  setTimeout(() => {
    region.appendChild(box)
    const covers = [
      pressed,
      document.activeElement !== document.body && document.activeElement?.getBoundingClientRect(),
    ]
    if (covers.some((other) => other && overlap(region.getBoundingClientRect(), other)))
      region.classList.add('toast-top')
    start()
  }, announceAfter)
  return () => region.remove()
}

/**
 * Copies a toast of the page (platform/forms/toast.tsx) into a new live region over the page, because screen readers
 * do not announce content that was in the page when it was loaded. The caller removes `toast`. Returns a
 * function that removes the copy.
 */
export function liftToast(toast: HTMLElement): () => void {
  const box = toast.firstElementChild as HTMLElement
  const content = document.createElement('div')
  for (const node of box.childNodes) content.appendChild(node.cloneNode(true))
  return floatToast(content, {
    role: toast.getAttribute('role') ?? 'status',
    tone: box.className.replace('toast-box ', ''),
  })
}

function overlap(one: DOMRect, other: DOMRect): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
