import { expect, test } from 'vitest'
import { unboundedWrites } from './sql.ts'

test.each([
  'update t set a = 1',
  'UPDATE only "a table" AS x SET a = 1 RETURNING a',
  'delete from public.t',
  'begin delete from t; select 1 from u where true; end',
  'with gone as (delete from t returning *) select * from gone where a = 1',
  'with changed as (update t set a = (select a from u where b) ) select * from u where true',
  'update t set a = 1 -- where true',
  "update t set a = ' where true'",
  "select E'\\'' ; update t set a = E'\\' where true'",
  'update t set a = 1 from u join v on (u.a = v.a and u.b in (select b from w where true))',
  'for each in update t set a = 1 returning * loop perform 1 from u where true; end loop',
  "execute 'delete from t' using a where true",
  "execute format('update %I.%I set a = ''where'' ', a, b)",
  'execute $q$ update t set a = 1 $q$; select 1 from t where true',
  "execute 'update ' || quote_ident(name) || ' set a = 1 where true'",
  'insert into t values (1) on conflict (a) do update set a = 1; update t set a = 1',
])('finds the write without WHERE: %s', (sql) => {
  expect(unboundedWrites(sql)).toHaveLength(1)
})

test.each([
  'update t set a = 1 where true',
  'update only a.t * as x set a = (select max(a) from u) where x.a = 1 returning a',
  'delete from t using u where t.a = u.a',
  'with gone as (delete from t where a = 1 returning *) select * from gone',
  'insert into t values (1) on conflict (a) do update set a = 1',
  'insert into t values (1) on conflict do update set a = excluded.a; select 1',
  'select 1 from t for update; select 2 from t for no key update of t skip locked',
  'select 1 from t for no key update ',
  '-- update t set a = 1\nselect 1 /* delete from t */',
  "select 'update' as kind, tg_op = 'DELETE' where true",
  "execute 'delete from t where user_id = $1' using caller",
])('accepts: %s', (sql) => {
  expect(unboundedWrites(sql)).toEqual([])
})
