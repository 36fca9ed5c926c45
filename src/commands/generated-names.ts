import sql, { join, raw, type Sql } from 'sql-template-tag'

// Names are put together in the database, from the number of the record alone: the same every time.

const VERBS = 'Review Prepare Update Repair Design Write Check Order Plan Translate Print Approve Deliver Test'.split(
  ' ',
)
const THINGS = 'contract budget website office report invoice printer server garden kitchen brochure lease'.split(' ')
const CITIES = 'Riyadh Cairo Amman Dubai Beirut Jeddah Tunis Rabat Muscat Doha Basra Aleppo'.split(' ')
const WORKS = ['Office move', 'Website launch', 'Store opening', 'Annual report', 'Staff training', 'Warehouse']
const STAGES = ['Preparation', 'Design', 'Purchasing', 'Construction', 'Hand-over', 'Review']
const SYLLABLES = [
  'Nor Kav Bel Tar Mir Sol Ven Dal Ric Fen Gal Hol Jas Kor Lun Mav Ner Ost Pel Qua Ras Sil Tev Und Vor Wes'.split(' '),
  'ta ve lo mi ra di no sa ke pu li fo ga be zo wa ny te co hu'.split(' '),
  'dal sto lis nex rum vik tan mor gen ler bit son quin fax met roy nia tek'.split(' '),
]

const ACTIONS = 'مراجعة إعداد تحديث إصلاح تصميم كتابة فحص طلب تخطيط ترجمة طباعة اعتماد تسليم تجربة'.split(' ')
const OBJECTS = 'عقد ميزانية موقع مكتب تقرير فاتورة طابعة خادم حديقة مطبخ كتيّب إيجار'.split(' ')
const PLACES = 'الرياض القاهرة عمّان دبي بيروت جدة تونس الرباط مسقط الدوحة البصرة حلب'.split(' ')
const PROJECTS = ['انتقال المكتب', 'إطلاق الموقع', 'افتتاح الفرع', 'التقرير السنوي', 'تدريب الموظفين', 'المستودع']
const PHASES = ['التحضير', 'التصميم', 'المشتريات', 'الإنشاء', 'التسليم', 'المراجعة']
const PIECES = [
  'نور بدر فجر سهم برق نجم شمس قمر روض غيث سيف درع رمح تاج كنز بحر نهر جبل وادي سهل'.split(' '),
  'ستان يار مند زار فان بان دار كار شاه باد راد مير لان سان'.split(' '),
  'يا ون ات ين وم يد ار وك يل اس'.split(' '),
]

/** The titles of tasks, and the names of whom they are with. Every English one has `the` in it, every Arabic one مشروع. */
export const taskTitle = either(
  words(pick(VERBS, 7919), sql`'the'`, pick(THINGS, 104729), sql`'with'`, invented(SYLLABLES), sql`n % 100`),
  words(
    pick(ACTIONS, 7919),
    pick(OBJECTS, 104729),
    invented(PIECES),
    sql`'في مشروع'`,
    pick(PLACES, 15485863),
    sql`n % 100`,
  ),
)

export const listTitle = either(words(pick(STAGES, 7919), sql`n`), words(pick(PHASES, 7919), sql`n`))

export const projectName = either(
  words(pick(WORKS, 7919), sql`'in'`, pick(CITIES, 104729), sql`n`),
  words(pick(PROJECTS, 7919), sql`'في'`, pick(PLACES, 104729), sql`n`),
)

/** An odd number has an English name, an even one an Arabic one. */
function either(english: Sql, arabic: Sql): Sql {
  return sql`case when n % 2 = 1 then ${english} else ${arabic} end`
}

function words(...parts: Sql[]): Sql {
  return sql`concat_ws(' ', ${join(parts)})`
}

/** One of a list, scattered by the number of the record. */
function pick(list: string[], prime: number): Sql {
  return raw(`(array['${list.join("','")}'])[1 + (n * ${prime} + ${prime}) % 2147483647 % ${list.length}]`)
}

/** A word that stands in few names, made of three pieces. */
function invented([first = [], second = [], third = []]: string[][]): Sql {
  return sql`${pick(first, 32452843)} || ${pick(second, 49979687)} || ${pick(third, 67867967)}`
}
