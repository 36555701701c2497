import { Trans, useLingui } from '@lingui/react/macro'
import { Form, Link } from '@remix-run/react'
import type { Profile } from '~/members/profile/profile.server'
import { Field } from '~/platform/forms/field'
import { fieldsOf, type RefusedForm } from '~/platform/forms/refusal'
import { SubmitButton } from '~/platform/forms/submit-button'
import { PictureForm } from './picture-form'
import { Avatar, ProfileCard } from './profile-card'

interface Member {
  id: string
  email: string
}

/** The initial values of the form, from a draft or from the profile. */
type ProfileValues = Pick<Profile, 'username' | 'walletAddress'>

/** The form to edit the profile. */
export default function ProfileForm({
  member,
  values,
  refused,
  avatarUrl,
}: {
  member: Member
  values: ProfileValues
  refused: RefusedForm | undefined
  avatarUrl: string | null
}) {
  const { t } = useLingui()
  const field = fieldsOf(refused)
  return (
    <ProfileCard>
      <Form
        method="post"
        action="/dashboard?edit=profile"
        data-draft="/dashboard/draft"
        noValidate
        className="mt-6 grid max-w-xl gap-5"
      >
        <input type="hidden" name="intent" value="update-profile" />
        <input type="hidden" name="member" value={member.id} />
        <div>
          <p className="font-semibold">
            <Trans>Email</Trans>
          </p>
          <p className="text-muted wrap-anywhere">{member.email || t`Not set`}</p>
        </div>
        <Field {...field('username', values.username)} label={t`Username`} autoComplete="nickname" />
        <Field
          {...field('walletAddress', values.walletAddress)}
          label={t`Wallet Address`}
          placeholder="0x..."
          dir="ltr"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        {/* On a phone, the field shows only the beginning of an address. */}
        {values.walletAddress && (
          <p className="hash -mt-3 wrap-anywhere text-muted sm:hidden">{values.walletAddress}</p>
        )}
        <div className="flex flex-wrap gap-3">
          <SubmitButton>
            <Trans>Save</Trans>
          </SubmitButton>
          <Link to="/dashboard" className="button">
            <Trans>Cancel</Trans>
          </Link>
        </div>
      </Form>
      {/* The picture has a separate form. */}
      <PictureForm memberId={member.id} hasPicture={avatarUrl !== null}>
        <Avatar url={avatarUrl} name={values.username || member.email} />
      </PictureForm>
    </ProfileCard>
  )
}
