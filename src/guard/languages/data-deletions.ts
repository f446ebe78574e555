/**
 * Calls of clients, ORMs and cloud libraries that delete everything they are about. Their names are much the same in every
 * language, so one pattern serves them all. Deleting what a condition selects is everyday work and does not match.
 */
const everything = [
  // Whole databases, tables, indexes, buckets and machines.
  String.raw`\.(?:drop_?database|drop_?collection|drop_?tables?|drop_?all_?tables|flush_?all|flush_?db|delete_?bucket|delete_?objects|delete_?table|delete_?stack)\b`,
  String.raw`\.(?:delete_?db_?(?:instance|cluster)|terminate_?instances|delete_?(?:cluster|file_?system|hosted_?zone|secret|namespace|collection)|truncate_?tables?)\b`,
  String.raw`\bSchema::(?:drop\w*|dropAllTables)\b|\bindices\.delete\b|\bdelete_?by_?query\b|\bdb\.dropDatabase\b`,
  // Every record.
  String.raw`\.(?:drop_all|delete_all!?|destroy_all!?|update_all|clear_all|delete_everything)\b`,
  String.raw`\.(?:deleteMany|delete_many|removeMany|remove)\s*\(\s*\{\s*\}\s*[),]`,
  String.raw`\.deleteMany\s*\(\s*(?:\{\s*(?:where\s*:\s*\{\s*\}\s*,?)?\s*\}\s*)?\)`,
  String.raw`\.(?:all|objects|query|filter|using)\s*\(\s*\)\.delete\s*\(|\.query\s*\(\s*\w+\s*\)\.delete\s*\(|\bobjects\.delete\s*\(`,
  String.raw`\.(?:find_each|find_in_batches|each|all\.each|all\.map)\s*\(\s*&:(?:destroy|delete)!?|\.(?:find_each|all\.each)\s*(?:\{|do)\s*\|\w+\|\s*\w+\.(?:destroy|delete)\b`,
  String.raw`::(?:truncate|query\(\)\s*->\s*(?:delete|truncate|forceDelete))\b|\btable\([^()]*\)\s*->\s*(?:delete|truncate)\(\)|->truncate\(`,
  String.raw`\bRepo\.delete_all\b|\bcall_command\(\s*["'«]?(?:flush|reset_db)|Artisan::call\(\s*["'«]?(?:migrate:(?:fresh|reset|refresh)|db:wipe)`,
  String.raw`\bRake::Task\[\s*["'«]db:(?:drop|reset|purge|truncate_all|schema:load)`,
  // Sequelize, TypeORM, Knex, Mongoose, Bookshelf.
  String.raw`\.sync\s*\(\s*\{[^{}]*\bforce\s*:\s*true|\.synchronize\s*\(\s*true|\bsequelize\.drop\s*\(|\.destroy\s*\(\s*\{\s*(?:truncate\s*:\s*true|where\s*:\s*\{\s*\})`,
  String.raw`(?:\b(?:knex|db|trx|from|table|into)|\))\s*\(\s*["'«][^()]{0,64}\)\.(?:del|delete|truncate)\s*\(\s*\)(?!\s*\.(?:eq|neq|match|in|where|filter|lte?|gte?|is|like|or|not)\b)|\.getRepository\([^()]*\)\.clear\s*\(|\brepository\.clear\s*\(`,
  String.raw`\bmetadata\.drop_all\b|\bexecute\(\s*delete\(\s*\w+\s*\)\s*\)`,
  // Queues.
  String.raw`\bSidekiq::(?:Queue|RetrySet|ScheduledSet|DeadSet)\.new(?:\([^()]*\))?\.clear\b|\bqueue\.(?:obliterate|purge|empty)\s*\(`,
].join('|')

export const deletesRecords = new RegExp(everything, 'i')

/** The same, for finding each call in code. */
export const eachDeletion = new RegExp(`(?:${everything})\\s*\\(?`, 'gi')
