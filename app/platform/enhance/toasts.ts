import { liftToast } from '../forms/floating-toast'

// On a hydrated page React shows the toasts (platform/forms/toast.tsx), because no script may change React's elements
// before hydration.
if (!('__remixContext' in window))
  for (const toast of document.querySelectorAll<HTMLElement>('.toast')) {
    liftToast(toast)
    toast.remove()
  }
