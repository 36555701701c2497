import { liftToast } from '../forms/floating-toast'

// On a hydrated page React shows the toasts (toast.tsx): no script may change its elements before.
if (!('__remixContext' in window))
  for (const toast of document.querySelectorAll<HTMLElement>('.toast')) {
    liftToast(toast)
    toast.remove()
  }
