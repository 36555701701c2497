-- Texts of members, and names: one rule for all of them. A text names no way to pay and no way to leave this site; a name
-- cannot be mistaken for another one, and what a reader sees is what is stored.

-- A text as a person reads it: NFKC, without the characters that fonts do not show (Default_Ignorable_Code_Point).
create function private.plain_text(words text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(
    normalize(words, NFKC),
    '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]',
    '', 'g'
  )
$$;

-- Why a member's text is refused: 'address' for a way to pay, 'link' for a way to leave the site, null if it has neither.
-- app/goals/member-text.server.ts has the same patterns, and tests/support/member-texts.ts texts for both.
create function private.text_fault(words text) returns text
language sql immutable set search_path = '' as $$
  select case
    -- A word of 26 letters and digits has both only in an address or an account number.
    when plain ~* '0x([ _.-]?[0-9a-f]){40}' or exists (
      select from regexp_matches(plain, '[0-9A-Za-z]{26,}', 'g') as long where long[1] ~ '[0-9]' and long[1] ~ '[A-Za-z]'
    ) or plain ~ '\m[EUk]Q[0-9A-Za-z_-]{46}'
      or plain ~ '[0-9A-Za-z-]\.(eth|sol|bnb|crypto|nft|wallet|bitcoin|blockchain|dao|ETH|SOL|BNB|Eth|Bnb)(?![\w''’-])'
      or plain ~* '\m(bitcoin|ethereum|tron|solana|litecoin|ripple|monero|dogecoin|cardano|polkadot|stellar):[0-9a-z]'
      or plain ~* '\m(bc1|tb1|ltc1|bnb1|addr1|cosmos1)([ ._-]?[0-9a-z]){8}'
      -- An address in groups: twelve of one character, ten of two, or four with a capital letter or a digit within, and
      -- at most two others between two of them.
      or plain ~ '\m(([0-9A-Za-z][ ._-]){12}|([0-9A-Za-z]{2}[ ._-]){10})'
      or plain ~ replace('\m(O[ ._-]([0-9A-Za-z]{1,8}[ ._-]){0,2}){3}O', 'O', odd_word)
      -- A number of an account or of a telephone, and an IBAN.
      or plain ~ '[0-9٠-٩۰-۹]{9}'
      or plain ~* '\m[A-Z]{2}[0-9]{2}[ .-]?([A-Z]{4}[ .-]?)?[0-9]{4}[ .-]?[0-9]{4}'
    then 'address'
    when plain ~* '[a-z]://|\mwww\.|\mmailto:' or plain ~* '(^|[^\w@.])@[a-z0-9_.]{3,}'
      -- A domain: letters on both sides of a dot, two or more after it, and no space. The letters of Latin, Greek, Cyrillic,
      -- Armenian, Hebrew, Arabic and Cherokee.
      or plain ~ replace('[L][0-9-]*\.[L]{2}', 'L', letter)
      or plain ~* '[0-9a-z-][。·][a-z]{2}'
      or plain ~* replace('[0-9L-] ?[\[({] ?(\.|dot) ?[\])}] ?[L]{2}', 'L', letter)
      or plain ~* '[0-9a-z-] dot (com|net|org|io|xyz|app|me|ru|cn|hk|tk|tw|vip|icu|gg|ly|eu|uk|de|fr|nl|tr|ir|ae|ng|biz|dev|finance|foundation|website|exchange|gov|edu)(?![\w''’-])'
      or plain ~* '[0-9a-z-]\.[a-z]{2,24}/[0-9a-z]'
    then 'link'
  end
  from private.plain_text(words) as plain, (
    values ('A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u0587\u05d0-\u05ea\u0620-\u064a\u066e-\u06d3\u13a0-\u13ff')
  ) as letters (letter), (
    values ('([0-9A-Za-z]{0,8}([a-z][A-Z0-9]|[A-Z][0-9])[0-9A-Za-z]{1,8}|[0-9A-Za-z]{1,8}([a-z][A-Z0-9]|[A-Z][0-9]))')
  ) as words_of_addresses (odd_word)
$$;

-- The number of characters that a person sees, without spaces and ASCII punctuation.
create function private.seen_length(words text) returns integer
language sql immutable set search_path = '' as $$
  select char_length(regexp_replace(private.plain_text(words), '[\s!-/:-@\[-`{-~]', '', 'g'))
$$;

-- An https link whose host is where it begins: 'https://x.com@other.example' leads elsewhere than it says.
create function private.names_its_host(link text) returns boolean
language sql immutable set search_path = '' as $$
  select link !~ '^https?://[^/?#]*@'
$$;

-- The text of a value of a form: '+' is a space, and '%e2%82%ac' a euro sign.
create function private.decode_value(value text) returns text
language sql immutable set search_path = '' as $$
  select convert_from(decode(string_agg(
    case when part[1] ~ '^%' then substr(part[1], 2) else encode(convert_to(part[1], 'UTF8'), 'hex') end, '' order by place
  ), 'hex'), 'UTF8')
  from regexp_matches(replace(value, '+', ' '), '%[0-9A-Fa-f]{2}|[^%]', 'g') with ordinality as parts (part, place)
$$;

-- How a name looks: NFKC in small letters, without marks and invisible characters, spaces and punctuation, and with the
-- letters that look like a Latin letter or a digit as these (the confusables of Unicode TR39, and 19 more pairs). `i`, `1`
-- and `|` look like `l`, and `0` like `o`. Letters are replaced before `lower`, because a small letter looks different.
create function private.name_skeleton(name text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(lower(translate(
    regexp_replace(normalize(private.plain_text(name), NFKD), '[\u0300-\u036f]', '', 'g'),
    E'ƧƻϨᒿꙄꛯꝚ'
    'ƷȜЗҘӠⳌꝪꞫ𑣊𖼻𝈆'
    'Ꮞ𑢯'
    'Ƽ𑢻'
    'бᏮⳒ𑣕'
    '𐓒𑣆𝈒'
    'Ȣȣ৪੪ଃ𐌚\U0001e8cb'
    '৭੧୨൭ⳊꝮ𑢬𑣌𑣖'
    'ɑΑαАаᎪᗅ⍶⍺ꓮ𐊠𖽀'
    'ƀƂƃƄɓΒБВЬвьѢѣҌҍᏏᏴᖯᗷꓐꞴ𐊂𐊡𐌁'
    '¢ȼΣςСсҪҫᏟᴄⲤⲥꓚꮯ𐊢𐌂𐐕𐐽𐔜𑣩𑣲🝌'
    'ÐĐđƉƌɖɗԁᎠᏧᑯᗞᗪ₫ꓒꓓ'
    'ɆɇΕεЕеҽҿᎬ℮⋿ⴹꓰꬲ𐊆𑢦𑢮'
    'ƑƒϜքᖴᵮẝꓝꞘꞙꬵ𐊇𐊥𐔥𑢢𑣂𝈓'
    'ƍǤǥɠɡԌԍցᏀᏳᶃꓖ'
    'ĦħɦΗНнћҢһӇӉհᎻᏂᏲᕼⱧⲎꓧꚕ𐋏'
    'ɈɉͿϳЈјᎫᒍꓙꞲ'
    'ƙΚκКкҚҞᏦᛕ₭ⱩⲔꓗꝀ𐔘'
    '1Ii|ıŁłƖƗƚǀɨɩɪɫɭΙιІіӀӏ\u05c0\u05d5\u05df\u0627\u0661۱\u07caᎥᏞᒪᛁᵻᵼ∣⍳⍸⏽│ⲒⳐⵏꓡꓲꙇꭵ𐊊𐌉𐌠'
    '𐐛𐔦𑢣𑢲𑣃𖼖𖼨𝈪\U0001e8c7'
    'ΜϺМмӍᎷᗰᛖⲘꓟ𐊰𐌑'
    'ƝƞɳΝηПпոռᵰⲚꓠ𐆎𐔓'
    '0ØøƟɵΘΟθοσОоѲѳӨөՕօ\u05e1\u0647\u0665\u06be\u06c1\u06d5۵\u06ff\u07c0०০੦૦ଠ୦௦ం౦ಂ೦ംഠ൦ං๐໐ဝ၀ჿዐᎾᏫ'
    'ᴏᴑ⊖⊝⍬Ⲟⲟⴱⵁⵔ〇ꓳꝊꝋꬽꬾꭴꮎꮻ𐊒𐊫𐐄𐐬𐓂𐓪𐔖𑓐𑢵𑣈𑣗𑣠𝈚🜔'
    'ƥΡρРрᏢᑭᵽ⍴Ⲣⲣꓑ𐊕'
    'ʠԚԛգզⵕ'
    'ƦɍɼɽГгғᎡᏒᖇᴦᵲⲅꓣꭇꭈꮁ𐒴𖼵𝈖'
    'ƽʂЅѕՏᏕᏚᵴꓢꜱꮪ𐊖𐐠𐑈𑣁𖼺'
    'ŦŧƭƮȾΤτТтҬᎢᵵ⊤⍡⟙Ⲧꓔ𐊗𐊱𐌕𑢼𖼊🝨'
    'ɄʋυՍսሀᏌᑌᴜᵾ∪⋃ꓴꞟꭎꭒꮜ𐓎𐓶𑢸𑣘𖽂'
    'νѴѵ\u05d8\u0667۷Ꮩᐯᴠ∨⋁ⴸꓦꛟꮩ𐆗𐔝𑜆𑢠𑣀𖼈𝈍'
    'ɯΩωѡԜԝաᎳᏔᴡ₩ꓪꝡꮃ𑓅𑜊𑜎𑜏𑣦𑣯'
    '×ΧχХхҲᕁᕽ᙭᙮ᚷ╳⤫⤬⨯⨰ⲬⵝꓫꞳ𐆖𐊐𐊴𐌗𐌢𐔧𑣬'
    '¥ƴɎɏɣʏΥγУуҮүҰұყᎩᎽᶌỿⲨꓬꭚ𐊲𑢤𑣜𖽃'
    'ƵƶȤȥʐΖᏃᴢᵶꓜꮓ𐋵𑢩𑣄𑣥',
    E'2222222'
    '33333333333'
    '44'
    '55'
    '6666'
    '777'
    '8888888'
    '999999999'
    'aaaaaaaaaaaa'
    'bbbbbbbbbbbbbbbbbbbbbbbb'
    'cccccccccccccccccccccc'
    'dddddddddddddddd'
    'eeeeeeeeeeeeeeeee'
    'fffffffffffffffff'
    'gggggggggggg'
    'hhhhhhhhhhhhhhhhhhhhh'
    'jjjjjjjjjj'
    'kkkkkkkkkkkkkkk'
    'llllllllllllllllllllllllllllllllllllllllllllllllll'
    'lllllllll'
    'mmmmmmmmmmmm'
    'nnnnnnnnnnnnnn'
    'oooooooooooooooooooooooooooooooooooooooooooooooooo'
    'ooooooooooooooooooooooooooooooooo'
    'ppppppppppppp'
    'qqqqqq'
    'rrrrrrrrrrrrrrrrrrrr'
    'ssssssssssssssss'
    'ttttttttttttttttttttttt'
    'uuuuuuuuuuuuuuuuuuuuuu'
    'vvvvvvvvvvvvvvvvvvvvvv'
    'wwwwwwwwwwwwwwwwwwww'
    'xxxxxxxxxxxxxxxxxxxxxxxxxxx'
    'yyyyyyyyyyyyyyyyyyyyyyyyyy'
    'zzzzzzzzzzzzzzz'
  )), '[\s!-/:-@\[-`{-~·•‐-―]', '', 'g')
$$;

-- Whether a text has the name of this site, in letters that look like it.
create function private.names_us(words text) returns boolean
language sql immutable set search_path = '' as $$
  select private.name_skeleton(words) like '%' || private.name_skeleton('Goodblock') || '%'
$$;

-- Whether a name has letters of one alphabet: Latin, Greek, Cyrillic, Armenian and Cherokee look alike. Each may be beside
-- Chinese, Arabic and others, which do not.
create function private.has_one_alphabet(name text) returns boolean
language sql immutable set search_path = '' as $$
  select (private.plain_text(name) ~ '[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]')::integer
    + (private.plain_text(name) ~ '[\u0370-\u03ff\u1f00-\u1fff]')::integer
    + (private.plain_text(name) ~ '[\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f]')::integer
    + (private.plain_text(name) ~ '[\u0530-\u058f]')::integer
    + (private.plain_text(name) ~ '[\u13a0-\u13ff\uab70-\uabbf]')::integer <= 1
$$;

-- False for a name that shows nothing, or that has characters which change the order of others or hide a text. The name is
-- empty for a member without one. app/platform/forms/name.ts refuses the same characters.
create function private.is_name(words text) returns boolean
language sql immutable set search_path = '' as $$
  select words = '' or (
    words !~ '[\u0001-\u001f\u007f-\u009f\u202d\u202e\u2028\u2029\ufff9-\ufffb]'
    and private.plain_text(words) ~ '[^[:space:]]'
  )
$$;
