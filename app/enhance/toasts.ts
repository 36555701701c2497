import { liftToast } from '../forms/floating-toast'

// On a hydrated page React shows the toasts (forms/toast.tsx): before hydration no script may change React's elements.
if (!('__remixContext' in window))
  for (const toast of document.querySelectorAll<HTMLElement>('.toast')) {
    liftToast(toast)
    toast.remove()
  }
