import { type Cents, toCents } from '../money.ts'

/** One line of a plan: what a part of the target is for. */
export interface PlanLine {
  /** Null while the amount of a draft is missing. */
  amount: Cents | null
  what: string
}

/** The lines of a published plan, as private.move_goal writes them: '400.00 Coats for 20 children'. */
export function readPlan(text: string): PlanLine[] {
  return text.split('\n').map((line) => {
    const [, amount, what] = /^(\d+\.\d\d) (.*)$/.exec(line) ?? []
    return amount === undefined ? { amount: null, what: line } : { amount: toCents(amount), what: what ?? '' }
  })
}

/** What the lines add up to. A line without an amount adds nothing. */
export function sumPlan(plan: readonly PlanLine[]): Cents {
  return plan.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
}
