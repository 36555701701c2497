import { Form, Link, useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Field } from '../forms/field'
import type { FieldErrors } from '../forms/refusal'
import { Icon } from '../ui/icon'
import type { Profile } from './profile.server'

interface Member {
  id: string
  email: string
}

/** The profile as it stands. Where it could not be loaded, only what the session knows is shown (spec §8). */
export function ProfileView({
  email,
  profile,
  editAddress,
}: {
  email: string
  profile: Profile | null
  editAddress: string
}) {
  return (
    <ProfileCard
      action={
        profile && (
          <Link to={editAddress} className="button">
            Edit Profile
          </Link>
        )
      }
    >
      <div className="mt-6 flex flex-col gap-6 sm:flex-row sm:items-start">
        <Avatar
          url={profile?.avatarUrl ?? null}
          name={profile?.username || email || profile?.provenWallet || ''}
        />
        <dl className="grid min-w-0 flex-1 gap-5 sm:grid-cols-2">
          <Fact term="Email">{email || 'Not set'}</Fact>
          {profile && <Fact term="Username">{profile.username || 'Not set'}</Fact>}
          {profile && <WalletFacts typed={profile.walletAddress} proven={profile.provenWallet} />}
        </dl>
      </div>
    </ProfileCard>
  )
}

/** What the form shows: what was typed, else the profile as it stands. */
export type ProfileValues = Partial<Pick<Profile, 'username' | 'walletAddress'>>

/** The profile being edited. */
export function ProfileForm({
  member,
  values,
  errors,
}: {
  member: Member
  values: ProfileValues
  errors: FieldErrors
}) {
  const pending = useNavigation().state !== 'idle'
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
          <p className="font-semibold">Email</p>
          <p className="text-muted wrap-anywhere">{member.email || 'Not set'}</p>
        </div>
        <Field
          label="Username"
          name="username"
          autoComplete="nickname"
          defaultValue={values.username}
          error={errors.username?.[0]}
        />
        <Field
          label="Wallet Address"
          name="walletAddress"
          placeholder="0x..."
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          defaultValue={values.walletAddress}
          error={errors.walletAddress?.[0]}
        />
        <div className="flex flex-wrap gap-3">
          <button type="submit" className="button button-gold" disabled={pending}>
            {pending ? 'Loading...' : 'Save'}
          </button>
          <Link to="/dashboard" className="button">
            Cancel
          </Link>
        </div>
      </Form>
    </ProfileCard>
  )
}

/** What the member has typed, and what they have proven by a signature: once, where it is the same address. */
function WalletFacts({ typed, proven }: { typed: string; proven: string | null }) {
  const same = proven !== null && (!typed || typed.toLowerCase() === proven.toLowerCase())
  return (
    <>
      <Fact term="Wallet Address" wide>
        {typed || same ? <Address value={same ? proven : typed} proven={same} /> : 'Not set'}
      </Fact>
      {proven && !same && (
        <Fact term="Signs in with" wide>
          <Address value={proven} proven />
        </Fact>
      )}
    </>
  )
}

function Address({ value, proven }: { value: string; proven: boolean }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <code className="font-mono text-[0.95em] wrap-anywhere">{value}</code>
      {proven && (
        <span className="badge bg-good-wash text-good">
          <Icon name="check" size={16} />
          Proven by signature
        </span>
      )}
    </span>
  )
}

function ProfileCard({ action, children }: { action?: ReactNode; children: ReactNode }) {
  return (
    <section className="sheet" aria-labelledby="profile-title">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="profile-title" className="text-heading">
          Profile
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}

function Fact({ term, wide, children }: { term: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={`min-w-0 ${wide ? 'sm:col-span-2' : ''}`}>
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

function Avatar({ url, name }: { url: string | null; name: string }) {
  if (url)
    return <img src={url} alt="" width="80" height="80" className="size-20 rounded-block object-cover" />
  const initials = [...name.trim()].slice(0, 2).join('').toUpperCase()
  return (
    <span
      aria-hidden="true"
      className="grid size-20 shrink-0 place-items-center rounded-block bg-gold font-display text-2xl font-bold text-on-gold"
    >
      {initials}
    </span>
  )
}
