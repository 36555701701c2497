/**
 * Texts for the rule of members' texts, which the database (private.text_fault) and the form
 * (app/goals/member-text.server.ts) both have: texts that people write, and texts that are refused.
 */
export const honestTexts = [
  'Winter is cold, and forty children have no coat.',
  'We ask for desks, e.g. for 30 pupils, i.e. one class. Dr. Smith and Mrs. Jones help.',
  'A rope of 3.5 m, 12.5kg of rice, a file of 2.5MB (report.pdf), from 9.30 to 17.45 h.',
  'It cost $1,200.50, or 1.200,50 €, about 3.75 each (see No.5, p. 12, vol.2).',
  'We need coats.It is cold.In winter we have no heating.So help us.To be safe.Me too.',
  'Help.Thanks!Please...help us...now.',
  'The U.S. office opens at 9 a.m. and closes at 5 p.m. on St. John’s Day; Inc. and Co. Ltd. help.',
  'Thank you @ all who came! Meet us @ 5 pm. Tel: 555 0100. Data: 30 children. Bitcoin: no.',
  'Node.js lessons and ASP.NET for the youth; version 2.0.1; ISBN 978-3-16-148410-0; IPv4 10.0.0.1.',
  'Order 20251127-0001 and receipt 4711/2025, block 41234567, plate 34-ABC-1234, +90 532 000 00 00.',
  'The mathematics textbook for grade 6: grade-6-mathematics-textbook-second-edition.',
  'Donaudampfschifffahrtsgesellschaft is a long word, and so is #WeAllHelpTheSchoolOfRiverside.',
  'Internet, the net, a network, an organisation, information, a company: and/or, he/she, 24/7, km/h.',
  'Our dog is called Eth. We like sol and wallet. A wallet with 5 coins. The sun (sol) shines.',
  'La lluvia.Sol y viento. El Sr. García compró 40 abrigos por 1.200,50 $; ¿nos ayudas? ¡Gracias!',
  'Kış soğuk. 40 çocuğun montu yok. Örn. Dr. Ayşe Hn. 3,5 m kumaş aldı. Teşekkürler!',
  '冬天很冷，四十个孩子没有外套。我们需要桌椅，每套3.5米长，价格1,200.50美元。谢谢大家！',
  'الشتاء بارد، وأربعون طفلاً بلا معاطف. نحتاج ٣٫٥ متر من القماش، أي ١٢٠٠ دولار. شكراً لكم!',
  'می‌خواهیم کمک کنیم. 👨‍👩‍👧‍👦 ❤️ नमस्ते क्‍ष हम मदद करते हैं।',
  'Зима холодная. Т.е. 40 детей без пальто, ул. Ленина, д. 5, т.к. денег нет. Спасибо!',
  'On 24.12.2025 at 18:30; ratio 3:1; 50%; A4; H2O; 2×4; “quotes” – dash; 20 °C; c/o the school.',
  'First line\nSecond line. Third.\n\n- a list\n- of things: coats/shoes/books',
]

const payments = [
  'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  'Send BTC to 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa please',
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  'SOL 7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
  '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B',
  'Ab5801a7D398351b8bE11C439e05C5B3259aeC9B',
  '0x\u200dab5801a7d398351b8be11c439e05c5b3259aec9b',
  '0x\u034fab5801a7d398351b8be11c439e05c5b3259aec9b',
  '０ｘab5801a7d398351b8be11c439e05c5b3259aec9b',
  '0x ab58 01a7 d398 351b 8be1 1c43 9e05 c5b3 259a ec9b',
  'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2',
  'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh',
  'give to riverside.eth today',
  'RiverSide.SOL',
  'school.bnb',
  'bitcoin:1abc',
]

const links = [
  'http://a.example',
  'https://a.example/x',
  'hxxps://goodblock-help.example',
  'ftp://files.example',
  'mailto:me@x.example',
  'tg://resolve?domain=x',
  'www.example.org',
  'open goodblock-help.com now',
  'Goodblock-Help.COM',
  'goodblock\u200b-help.com',
  'ｇｏｏｄｂｌｏｃｋ．ｃｏｍ',
  'example。com',
  'example[.]com',
  'example (dot) org',
  'example dot net',
  'write to us@school.org',
  't.me/goodblock_help',
  'T.ME/x',
  'join goodblock.help/claim',
  'goodblock.support',
  'paypal.me/us',
  'bit.ly/3abc',
  'follow @goodblock_help',
  'discord.gg/abc',
  'school.co.uk',
]

/** Each refused text with the reason. */
export const refusedTexts: [text: string, fault: 'address' | 'link'][] = [
  ...payments.map((text): [string, 'address'] => [text, 'address']),
  ...links.map((text): [string, 'link'] => [text, 'link']),
]
