import { type Case, dependency, error, phase, question, task } from './case.ts'

// The examples of the source documents and of their neighbours, as an agent would print them.
export const sources: Case[] = [
  [
    'the question of the protocol document, whose default is the beginning of an option',
    `수익 모델을 정해야 합니다.

[USER_QUESTION]
category: business
question: 어떤 수익 모델을 선호하시나요?
options: [구독 (월/연간), 프리미엄 (무료 + 유료), 광고 기반]
default: 프리미엄
required: false
[/USER_QUESTION]
`,
    question({
      category: 'business',
      question: '어떤 수익 모델을 선호하시나요?',
      options: ['구독 (월/연간)', '프리미엄 (무료 + 유료)', '광고 기반'],
      default: '프리미엄 (무료 + 유료)',
      required: false,
    }),
  ],
  [
    'a question without options',
    `[USER_QUESTION]
category: clarification
question: 타겟 사용자의 연령대는 어떻게 되나요?
required: true
[/USER_QUESTION]
`,
    question({ category: 'clarification', question: '타겟 사용자의 연령대는 어떻게 되나요?' }),
  ],
  [
    'options as an indented list',
    `[USER_QUESTION]
category: business
question: What is your preferred revenue model?
options:
  - Subscription (monthly/yearly)
  - Freemium (free + paid tiers)
  - One-time purchase
  - Ad-supported
default: Subscription (monthly/yearly)
required: true
[/USER_QUESTION]
`,
    question({
      category: 'business',
      question: 'What is your preferred revenue model?',
      options: ['Subscription (monthly/yearly)', 'Freemium (free + paid tiers)', 'One-time purchase', 'Ad-supported'],
      default: 'Subscription (monthly/yearly)',
    }),
  ],
  [
    'list options with commas',
    `[USER_QUESTION]
category: clarification
question: Should users be able to edit their profiles?
options:
  - Yes, full editing
  - Yes, limited fields only
  - No, read-only
required: true
[/USER_QUESTION]
`,
    question({
      category: 'clarification',
      question: 'Should users be able to edit their profiles?',
      options: ['Yes, full editing', 'Yes, limited fields only', 'No, read-only'],
    }),
  ],
  [
    'a default that is one label and the beginning of none other',
    `[USER_QUESTION]
category: confirmation
question: Proceed with generating authentication system using Supabase Auth?
options:
  - Yes
  - No, use a different auth system
default: Yes
required: true
[/USER_QUESTION]
`,
    question({
      category: 'confirmation',
      question: 'Proceed with generating authentication system using Supabase Auth?',
      options: ['Yes', 'No, use a different auth system'],
      default: 'Yes',
    }),
  ],
  [
    'options with slashes and parentheses in Korean',
    `[USER_QUESTION]
category: choice
question: 사용자 인증 방식은 어떻게 하시겠습니까?
options: [이메일/비밀번호, 소셜 로그인 (Google/GitHub), 둘 다 지원]
default: 둘 다 지원
required: false
[/USER_QUESTION]
`,
    question({
      question: '사용자 인증 방식은 어떻게 하시겠습니까?',
      options: ['이메일/비밀번호', '소셜 로그인 (Google/GitHub)', '둘 다 지원'],
      default: '둘 다 지원',
      required: false,
    }),
  ],
  [
    'a question whose own parentheses have commas',
    `[USER_QUESTION]
category: clarification
question: 이 앱의 주요 타겟 사용자는 누구인가요? (예: 학생, 직장인, 프리랜서)
required: true
[/USER_QUESTION]
`,
    question({
      category: 'clarification',
      question: '이 앱의 주요 타겟 사용자는 누구인가요? (예: 학생, 직장인, 프리랜서)',
    }),
  ],
  [
    'the dependency of the protocol document',
    `[DEPENDENCY_REQUEST]
type: api_key
name: OPENAI_API_KEY
description: Required for OpenAI API integration
required: true
[/DEPENDENCY_REQUEST]
`,
    dependency({ name: 'OPENAI_API_KEY', description: 'Required for OpenAI API integration' }),
  ],
  [
    'a description of two lines, as the guide recommends',
    `[DEPENDENCY_REQUEST]
type: api_key
name: OPENAI_API_KEY
description: Required for OpenAI GPT-4 API integration in AI chat feature.
Get your API key from https://platform.openai.com/api-keys
required: true
[/DEPENDENCY_REQUEST]
`,
    dependency({
      name: 'OPENAI_API_KEY',
      description:
        'Required for OpenAI GPT-4 API integration in AI chat feature.\nGet your API key from https://platform.openai.com/api-keys',
    }),
  ],
  [
    'an optional service',
    `[DEPENDENCY_REQUEST]
type: service
name: REDIS_URL
description: Redis connection URL for caching and session management
required: false
[/DEPENDENCY_REQUEST]
`,
    dependency({
      type: 'service',
      name: 'REDIS_URL',
      description: 'Redis connection URL for caching and session management',
      required: false,
    }),
  ],
  [
    'a scoped package',
    `[DEPENDENCY_REQUEST]
type: package
name: @stripe/stripe-js
description: Stripe JavaScript SDK for payment processing
required: true
[/DEPENDENCY_REQUEST]
`,
    dependency({
      type: 'package',
      name: '@stripe/stripe-js',
      description: 'Stripe JavaScript SDK for payment processing',
    }),
  ],
  [
    'a block inside of an indented report',
    `  Step 4: API 통합
    → ✅ 여기서 의존성 요청!

    [DEPENDENCY_REQUEST]
    type: api_key
    name: OPENAI_API_KEY
    description: Required for AI features
    required: true
    [/DEPENDENCY_REQUEST]

  Step 5-6: 완성 및 테스트
`,
    dependency({ name: 'OPENAI_API_KEY', description: 'Required for AI features' }),
  ],
  [
    'a phase with its documents',
    `✅ 모든 문서 500자 이상

=== PHASE 1 COMPLETE ===
Completed: Phase 1 (Planning)
Documents created:
- docs/planning/01_idea.md
- docs/planning/02_market.md
- docs/planning/03_persona.md

Ready for review.
`,
    phase(
      1,
      'Planning',
      ['docs/planning/01_idea.md', 'docs/planning/02_market.md', 'docs/planning/03_persona.md'],
      'Phase 1 (Planning)',
    ),
  ],
  [
    'a phase with a remark after its files',
    `=== PHASE 3 COMPLETE ===
Completed: Phase 3 (Development)
Files created:
- package.json
- app/page.tsx
- app/api/tasks/[id]/route.ts

Project structure created with working code.

Ready for review.
`,
    phase(3, 'Development', ['package.json', 'app/page.tsx', 'app/api/tasks/[id]/route.ts'], 'Phase 3 (Development)'),
  ],
  [
    'a phase with its name on a line of its own',
    `=== PHASE 1 COMPLETE ===
Phase: Planning
Documents created:
- docs/planning/01_idea.md
`,
    phase(1, 'Planning', ['docs/planning/01_idea.md']),
  ],
  ['a phase that is one line', '=== PHASE 4 COMPLETE ===\n', phase(4, 'Phase 4', [])],
  [
    'a task without phases',
    `=== CUSTOM TASK COMPLETE ===
Task: Email validation function
Summary: Created regex-based email validation with test cases
`,
    task('Email validation function', 'Created regex-based email validation with test cases'),
  ],
  ['a task in one line', 'Done.\n=== CUSTOM TASK COMPLETE ===\n', task(null, null)],
  [
    'an error that can be mended',
    `[ERROR]
type: recoverable
message: Rate limit exceeded
details: API rate limit hit, will retry after cooldown
recovery: pause_and_retry
[/ERROR]
`,
    error({
      type: 'recoverable',
      message: 'Rate limit exceeded',
      details: 'API rate limit hit, will retry after cooldown',
      recovery: 'pause_and_retry',
    }),
  ],
  [
    'a fatal error with a stack',
    `[ERROR]
type: fatal
message: Cannot read config
details: Error: ENOENT
    at open (node:fs:601:3)
    at main (app.ts:4:1)
recovery: checkpoint_and_fail
[/ERROR]
`,
    error({
      type: 'fatal',
      message: 'Cannot read config',
      details: 'Error: ENOENT\nat open (node:fs:601:3)\nat main (app.ts:4:1)',
      recovery: 'checkpoint_and_fail',
      fatal: true,
    }),
  ],
]
