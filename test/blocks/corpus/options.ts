import { asksWith, type Case, malformed, question } from './case.ts'

const offers = (value: string, ...options: string[]): Case => [
  value,
  asksWith(`options: ${value}`),
  question({ question: 'Which?', options }),
]
const refuses = (value: string, ...words: string[]): Case => [
  value,
  asksWith(`options: ${value}`),
  malformed('USER_QUESTION', 'options', ...words),
]

export const options: Case[] = [
  offers('[a, b]', 'a', 'b'),
  offers('[a,b,c]', 'a', 'b', 'c'),
  offers('[  spaced  ,  out  ]', 'spaced', 'out'),
  offers('[a, b,]', 'a', 'b'),
  offers('[only]', 'only'),
  offers("[Don't, Won't]", "Don't", "Won't"),
  offers("['tis, 'twas]", "'tis", "'twas"),
  offers('[say "hi, there", leave]', 'say "hi, there"', 'leave'),
  offers('["a", b, \'c\']', 'a', 'b', 'c'),
  offers('[“네, 그래요”, 아니요]', '네, 그래요', '아니요'),
  offers('[f(a, b), g[1, 2], {x, y}]', 'f(a, b)', 'g[1, 2]', '{x, y}'),
  offers('[a (b (c, d), e), f]', 'a (b (c, d), e)', 'f'),
  offers('[전부（가, 나）, 없음]', '전부（가, 나）', '없음'),
  offers('[:(, :), fine]', ':(, :)', 'fine'),
  offers('[:), fine, :(]', ':)', 'fine', ':('),
  offers('[5" disk, none]', '5" disk', 'none'),
  offers('[100%, 50%, C:\\temp]', '100%', '50%', 'C:\\temp'),
  offers('[1, 2, 3]', '1', '2', '3'),
  offers('[true, false]', 'true', 'false'),
  offers('["a", "b, c"]', 'a', 'b, c'),
  offers('["say \\"hi\\"", "line\\u0021"]', 'say "hi"', 'line!'),
  offers('["예", "아니오"]', '예', '아니오'),
  offers('[\n  "first",\n  "second, third"\n]', 'first', 'second, third'),
  offers('[\n  first,\n  second\n]', 'first', 'second'),
  offers('- a\n- b', 'a', 'b'),
  offers('\n  - Yes, full\n  - No', 'Yes, full', 'No'),
  offers('\n\n- a\n\n- b\n', 'a', 'b'),
  offers('\n-tight\n-rope', 'tight', 'rope'),
  offers('\n- "quoted, too"\n- [x] done', 'quoted, too', '[x] done'),
  offers('\n- a long one\n  that goes on\n- b', 'a long one that goes on', 'b'),
  offers('\n- default: yes\n- required: no', 'default: yes', 'required: no'),
  offers('\n- - nested\n- -1', '- nested', '-1'),
  refuses('a, b', '[a, b]'),
  refuses('none', '[a, b]'),
  refuses('\n1. a\n2. b', '[a, b]'),
  refuses('[a, b] (choose one)', ']'),
  refuses('[{"label": "a"}, {"label": "b"}]', 'every option must be a text'),
  refuses('["a", null]', 'every option must be a text'),
  refuses('[["a"], "b"]', 'every option must be a text'),
  refuses('[same, other, same]', 'offered twice'),
  refuses(`[${'x'.repeat(1_001)}, y]`, 'too long'),
  refuses(`[${Array.from({ length: 201 }, (_, i) => `o${i}`).join(', ')}]`, '200'),
]

const defaultsTo = (value: string, list: string, chosen: string): Case => [
  `default ${value} of ${list}`,
  asksWith(`options: ${list}`, `default: ${value}`),
  question({ question: 'Which?', options: list.slice(1, -1).split(', '), default: chosen }),
]
const noDefault = (value: string, list: string, ...words: string[]): Case => [
  `default ${value} of ${list}`,
  asksWith(`options: ${list}`, `default: ${value}`),
  malformed('USER_QUESTION', 'default:', ...words),
]

export const defaults: Case[] = [
  defaultsTo('B', '[A, B]', 'B'),
  defaultsTo('b', '[A, B]', 'B'),
  defaultsTo('"B"', '[A, B]', 'B'),
  defaultsTo('2', '[A, B]', 'B'),
  defaultsTo('#2', '[A, B]', 'B'),
  defaultsTo('#2', '[0, 1, 2]', '1'),
  defaultsTo('Post', '[PostgreSQL, MySQL]', 'PostgreSQL'),
  defaultsTo('Yes', '[Yes, Yes and no]', 'Yes'),
  defaultsTo('가', '[가나, 다라]', '가나'),
  defaultsTo('가'.normalize('NFD'), '[가나, 다라]', '가나'),
  noDefault('My', '[MySQL, MyRocks]', 'could be MySQL or MyRocks'),
  noDefault('1', '[3 months, 1 month]', 'could be'),
  noDefault('1', '[0, 1, 2]', '#2'),
  noDefault('C', '[A, B]', 'not one of the options'),
  noDefault('A, B', '[A, B]', 'not one of the options'),
  [
    'a default without options is a text',
    asksWith('default: as you like, "really"'),
    question({ question: 'Which?', default: 'as you like, "really"' }),
  ],
]
