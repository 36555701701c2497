import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { announce } from '~/members/auth/auth-notices.server'
import { refuseAuth } from '~/members/auth/auth-refusal.server'
import { logAuthError } from '~/members/auth/error-log.server'
import { answerChallenge, enrol, listFactors, usable } from '~/members/auth/factor.server'
import { parseChange, readEnrolment } from '~/members/auth/factor-form.server'
import { forgetSessions, requireFreshAssurance, requireViewer } from '~/members/auth/viewer.server'
import { readForm } from '~/platform/forms/form.server'
import { refuse } from '~/platform/forms/refusal.server'
import { Toast } from '~/platform/forms/toast'
import type { PageHandle } from '~/platform/rendering/handle'
import type { BackendError } from '~/platform/server/backend-error'
import { PageHead } from '~/platform/ui/page-head'
import { Sheet } from '~/platform/ui/section'
import { AddFactor, FactorList, factorAccountPath, RemoveFactor, VerifyFactor } from './factor-cards'

export const handle: PageHandle = { hydrated: { title: msg`Two-step sign-in` } }

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(request.url)
  const removedId = searchParams.get('remove')
  const returnTo = removedId ? factorAccountPath + search : factorAccountPath
  // The removal of a factor is sensitive: require a code from a factor before the confirmation page.
  const viewer = await (removedId ? requireFreshAssurance : requireViewer)(context, returnTo)
  const factors = usable(await listFactors(context, viewer.accessToken, returnTo))
  const removing = factors.find(({ id }) => id === removedId) ?? null
  if (removedId && !removing) throw redirect(factorAccountPath, 303)
  return { factors, removing, canAdd: viewer.email !== '' }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  const viewer = await requireFreshAssurance(context, factorAccountPath, { form })
  const submission = parseChange(form, context.language.i18n)
  const carried = await readEnrolment(form)
  if (submission.status !== 'success')
    return refuse(context, submission, { hide }, { enrolment: carried, challengeId: readChallenge(form) })

  const { value } = submission
  const again: Again = { enrolment: null, challengeId: undefined }
  const refused = (error: BackendError, field?: string, extra = again) => {
    logAuthError(context.log, 'factor.refused', error, { intent: value.intent })
    return refuseAuth(context, submission, error, { field, hide, returnTo: factorAccountPath }, extra)
  }
  const auth = await context.auth()
  switch (value.intent) {
    case 'enrol': {
      // The auth service labels the key with the email address, which a wallet's account may lack.
      if (!viewer.email) throw redirect(factorAccountPath, 303)
      const factors = await listFactors(context, viewer.accessToken, factorAccountPath)
      const result = await enrol(auth, value.name, factors)
      if ('enrolment' in result)
        return {
          id: crypto.randomUUID(),
          notice: null,
          values: null,
          errors: {},
          challengeId: undefined,
          ...result,
        }
      return refused(result.error, 'name')
    }
    case 'verify': {
      const failure = await answerChallenge(context, viewer, value)
      if (failure) {
        const { error, challengeId } = failure
        const enrolment = error.code === 'mfa_factor_not_found' ? null : carried
        return refused(error, 'code', { enrolment, challengeId })
      }
      forgetSessions(viewer.id)
      announce(context.cookies, 'factor-added')
      throw redirectDocument(factorAccountPath, 303)
    }
    case 'remove': {
      const { error } = await auth.mfa.unenroll({ factorId: value.factorId })
      if (error) return refused(error)
      announce(context.cookies, 'factor-removed')
      throw redirectDocument(factorAccountPath, 303)
    }
  }
}

/** Fields that a refused form does not repeat: a code is valid once, `enrolment` carries the others. */
const hide = ['code', 'secret', 'uri']

/** What the second step of an enrolment needs after a wrong code. */
interface Again {
  enrolment: Awaited<ReturnType<typeof readEnrolment>>
  challengeId: string | undefined
}

function readChallenge(form: FormData): string | undefined {
  const challengeId = form.get('challengeId')
  return typeof challengeId === 'string' ? challengeId : undefined
}

export default function SecondFactor() {
  const { t } = useLingui()
  const { factors, removing, canAdd } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  return (
    <div className="column grid gap-8 py-section">
      <Toast key={answer?.id} notice={answer?.notice} />
      <PageHead back={{ to: '/dashboard/account', label: t`Account` }} title={t`Two-step sign-in`}>
        <p className="mt-4 max-w-[60ch] text-lg text-muted">
          <Trans>Use your phone as a second key. Then a stolen password is not enough.</Trans>
        </p>
      </PageHead>
      {removing ? (
        <RemoveFactor factor={removing} last={factors.length === 1} />
      ) : answer?.enrolment ? (
        <VerifyFactor
          key={answer.id}
          enrolment={answer.enrolment}
          challengeId={answer.challengeId}
          refused={answer}
        />
      ) : (
        <>
          {factors.length > 0 && (
            <Sheet
              heading="factors-title"
              title={t`Your apps`}
              action={
                <span className="badge bg-good-wash text-good">
                  <Trans>On</Trans>
                </span>
              }
            >
              <FactorList factors={factors} />
            </Sheet>
          )}
          {canAdd ? (
            <AddFactor key={answer?.id} first={factors.length === 0} refused={answer} />
          ) : (
            <p className="notice">
              <Trans>
                You sign in with your wallet, so you don't need this. It protects accounts with a password.
              </Trans>
            </p>
          )}
        </>
      )}
    </div>
  )
}
