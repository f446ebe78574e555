// What agents ask, in three languages: the same texts for the same number, with words that few others have.

const english =
  `database migration deploy production rollback staging service order customer invoice payment retry queue worker timeout
  schema column index backup restore replica latency cache session token secret rotate certificate domain proxy header
  release branch merge commit review test failure flaky upgrade dependency package version breaking change window
  maintenance traffic canary region cluster node volume disk memory limit alert threshold page escalate owner team
  approve reject delete archive rename refactor module import export endpoint client server request response payload
  should which keep drop before after until because without during every other safe risky quick slow large small`.split(
    /\s+/,
  )
const korean =
  '배포 데이터베이스 서비스 운영 환경 마이그레이션 되돌리기 승인 요청 주문 결제 고객 로그 서버 장애 테스트 검토 버전 설정 권한 삭제 백업 복구 점검 담당자 일정'.split(
    ' ',
  )
const chinese =
  '部署 数据库 服务 生产 环境 迁移 回滚 审批 请求 订单 支付 客户 日志 服务器 故障 测试 审查 版本 配置 权限 删除 备份 恢复 维护'.split(
    ' ',
  )

/** Words that one text in five hundred has, and one that no text has. */
export const rare = { english: 'zanzibar', korean: '양파', missing: 'quokka' }

export interface Text {
  question: string
  context: string
}

export function textOf(n: number): Text {
  const words = n % 7 === 3 ? korean : n % 10 === 5 ? chinese : english
  const next = numbersFrom(n)
  const some = (count: number) => Array.from({ length: count }, () => words[next() % words.length]).join(' ')
  return { question: `${some(9)} ${n}?`, context: `${some(60)}${rareWordsOf(n)}. ${some(25)}` }
}

function rareWordsOf(n: number): string {
  if (n % 500 === 123) return ` ${rare.english}`
  return n % 500 === 377 ? ` ${rare.korean}` : ''
}

/** A linear congruential generator: any spread of words will do. */
function numbersFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
}
