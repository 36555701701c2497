import { Icon } from '~/ui/icon'
import { choicePath } from './choice'

const steps = ['Cause', 'Amount', 'Pay'] as const

/** The three steps. Those before the current one are links, with the choices so far. */
export function StepNavigation({
  current,
  to = null,
  token = null,
}: {
  current: (typeof steps)[number]
  to?: string | null
  token?: string | null
}) {
  const at = steps.indexOf(current)
  const paths = [choicePath({}), choicePath({ to, token })]
  return (
    <nav aria-label="Steps" className="column pt-8">
      <ol className="flex flex-wrap items-center gap-x-1.5 gap-y-2 font-semibold sm:gap-x-3">
        {steps.map((name, number) => (
          <li
            key={name}
            className="flex items-center gap-1.5 sm:gap-2 not-last:after:h-0.5 not-last:after:w-2 not-last:after:bg-edge sm:not-last:after:w-8"
            aria-current={number === at ? 'step' : undefined}
          >
            <span
              className={`grid size-8 place-items-center rounded-lg border ${
                number === at
                  ? 'border-ink bg-ink text-paper'
                  : number < at
                    ? 'border-ink'
                    : 'border-edge text-muted'
              }`}
            >
              {number < at ? <Icon name="check" size={16} /> : number + 1}
            </span>
            {number < at ? (
              <a href={paths[number]} className="link">
                {name}
                <span className="sr-only">, done: change it</span>
              </a>
            ) : (
              <span className={number === at ? '' : 'text-muted'}>{name}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
