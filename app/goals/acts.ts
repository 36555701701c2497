import { msg } from '@lingui/core/macro'
import { choice } from '../acts/forms/fields'
import type { ActSubject, Kind } from '../acts/forms/kind'
import { brand } from '../platform/site'

const goalPage = ({ subject }: ActSubject) => subject && `/giveback/${subject}`

/** The acts about goals. Their forms are on the page of the goal. */
export const goalActs = {
  'goal-approval': {
    title: msg`Approve a goal`,
    done: msg`Approved a goal`,
    people: 2,
    effect: msg`Its page and its wallet become public, and people can give. This can't be undone: afterwards a goal can only be frozen or annulled.`,
    subject: 'required',
    fields: [],
    mail: msg`The member gets an email that the goal is open.`,
    shortestReason: 0,
    isAboutGoal: true,
    pageOf: goalPage,
  },
  'goal-return': {
    title: msg`Return a goal to its member`,
    done: msg`Returned a goal to its member`,
    people: 1,
    effect: msg`No page or wallet becomes public. The member can change the goal and submit it again. Everyone can read that you returned a goal, but not why.`,
    subject: 'required',
    fields: [],
    mail: msg`The member gets an email with this reason.`,
    shortestReason: 10,
    reasonHint: msg`Only the member and the operators can read this reason.`,
    isAboutGoal: true,
    isReasonPrivate: true,
  },
  'goal-rejection': {
    title: msg`Reject a goal`,
    done: msg`Rejected a goal`,
    people: 1,
    effect: msg`No page or wallet becomes public. This can't be undone: the member can only write a new goal. Everyone can read that you rejected a goal, but not why.`,
    isHarsh: true,
    subject: 'required',
    fields: [],
    mail: msg`The member gets an email with this reason.`,
    shortestReason: 10,
    reasonHint: msg`Only the member and the operators can read this reason.`,
    isAboutGoal: true,
    isReasonPrivate: true,
  },
  'goal-freeze': {
    title: msg`Freeze a goal`,
    done: msg`Froze a goal`,
    people: 1,
    effect: msg`Its page stays, without its wallet and without a way to give, and its member can't post. Two operators can release it. Anyone who kept the address can still send money to it.`,
    subject: 'required',
    fields: [
      choice('hide', msg`Text and picture`, {
        optional: true,
        options: [{ value: 'yes', label: msg`Hide them too` }],
      }),
    ],
    shortestReason: 10,
    isAboutGoal: true,
    pageOf: goalPage,
  },
  'goal-release': {
    title: msg`Release a frozen goal`,
    done: msg`Released a frozen goal`,
    people: 2,
    effect: msg`Its page shows its text and picture again, and its wallet while the goal is open. Its member can post again. It can be frozen again.`,
    subject: 'required',
    fields: [],
    shortestReason: 10,
    isAboutGoal: true,
    pageOf: goalPage,
  },
  'goal-annulment': {
    title: msg`Annul a goal`,
    done: msg`Annulled a goal`,
    people: 2,
    effect: msg`The goal ends for ever. Its page stays and says so, but no longer shows the wallet. The open complaints are closed. This can't be undone.`,
    isHarsh: true,
    subject: 'required',
    fields: [],
    shortestReason: 10,
    isAboutGoal: true,
    pageOf: goalPage,
  },
  'goal-report': {
    title: msg`Accept the report of a goal`,
    done: msg`Accepted the report of a goal`,
    people: 1,
    effect: msg`Its page says that the goal is completed, and its member can submit another goal. This can't be undone.`,
    subject: 'required',
    fields: [],
    shortestReason: 0,
    isAboutGoal: true,
    pageOf: goalPage,
  },
  'goal-update': {
    title: msg`Publish the update that waits`,
    done: msg`Published an update that names this site`,
    people: 1,
    effect: msg`The member's update becomes public as it is. It waits because it names ${brand}: check that it promises nothing in our name.`,
    subject: 'required',
    fields: [],
    shortestReason: 0,
    isAboutGoal: true,
    pageOf: goalPage,
  },
  'complaint-dismissal': {
    title: msg`Dismiss the complaints about a goal`,
    done: msg`Dismissed the complaints about a goal`,
    people: 1,
    effect: msg`All open complaints about this goal are closed, and its page does not change: a frozen goal stays frozen. This can't be undone, but members can complain again.`,
    subject: 'required',
    fields: [],
    shortestReason: 0,
    isAboutGoal: true,
    pageOf: goalPage,
  },
} satisfies Record<string, Kind>

export type GoalActKind = keyof typeof goalActs

/** True if an act of this kind is about a goal. */
export function isGoalKind(kind: string): kind is GoalActKind {
  return Object.hasOwn(goalActs, kind)
}
