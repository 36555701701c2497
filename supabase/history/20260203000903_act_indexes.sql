-- The acts of a kind, or about a subject, without a scan of all acts.

create index operator_acts_of_kind on public.operator_acts (kind, number) where number is not null;
create index operator_acts_about on public.operator_acts (subject, number) where number is not null;
