import sql, { join, raw, type Sql } from 'sql-template-tag'

// Names are composed in the database, from the number of the record alone: the same every time.

const VERBS = 'Review Prepare Update Repair Design Write Check Order Plan Translate Print Approve Deliver Test'.split(
  ' ',
)
const THINGS = 'contract budget website office report invoice printer server garden kitchen brochure lease'.split(' ')
const CITIES = 'Riyadh Cairo Amman Dubai Beirut Jeddah Tunis Rabat Muscat Doha Basra Aleppo'.split(' ')
const WORKS = ['Office move', 'Website launch', 'Store opening', 'Annual report', 'Staff training', 'Warehouse']
const STAGES = ['Preparation', 'Design', 'Purchasing', 'Construction', 'Hand-over', 'Review']
const CAPITALS = 'B D F G H J K L M N P R S T V W Z'.split(' ')
const VOWELS = 'a e i o u'.split(' ')
const CONSONANTS = 'b d f g k l m n p r s t v x z'.split(' ')
const NAME = [CAPITALS, VOWELS, CONSONANTS, CONSONANTS, VOWELS, CONSONANTS]

const ACTIONS = 'مراجعة إعداد تحديث إصلاح تصميم كتابة فحص طلب تخطيط ترجمة طباعة اعتماد تسليم تجربة'.split(' ')
const OBJECTS = 'عقد ميزانية موقع مكتب تقرير فاتورة طابعة خادم حديقة مطبخ كتيّب إيجار'.split(' ')
const PLACES = 'الرياض القاهرة عمّان دبي بيروت جدة تونس الرباط مسقط الدوحة البصرة حلب'.split(' ')
const PROJECTS = ['انتقال المكتب', 'إطلاق الموقع', 'افتتاح الفرع', 'التقرير السنوي', 'تدريب الموظفين', 'المستودع']
const PHASES = ['التحضير', 'التصميم', 'المشتريات', 'الإنشاء', 'التسليم', 'المراجعة']
const LETTERS = 'ب ت ج ح خ د ر ز س ش ص ط ع ف ق ك ل م ن ه و ي'.split(' ')
const ARABIC_NAME = [LETTERS, LETTERS, LETTERS, LETTERS, LETTERS]

/** The titles of tasks, with the names of the people involved. Every English title contains `the`, every Arabic one مشروع. */
export const taskTitle = either(
  words(pick(VERBS, 1103515249), sql`'the'`, pick(THINGS, 1664525021), sql`'with'`, invented(NAME), sql`n % 100`),
  words(
    pick(ACTIONS, 1103515249),
    pick(OBJECTS, 1664525021),
    invented(ARABIC_NAME),
    sql`'في مشروع'`,
    pick(PLACES, 1812433267),
    sql`n % 100`,
  ),
)

export const listTitle = either(words(pick(STAGES, 1103515249), sql`n`), words(pick(PHASES, 1103515249), sql`n`))

export const projectName = either(
  words(pick(WORKS, 1103515249), sql`'in'`, pick(CITIES, 1664525021), sql`n`),
  words(pick(PROJECTS, 1103515249), sql`'في'`, pick(PLACES, 1664525021), sql`n`),
)

/** Odd numbers have English names, even ones Arabic names. */
function either(english: Sql, arabic: Sql): Sql {
  return sql`case when n % 2 = 1 then ${english} else ${arabic} end`
}

function words(...parts: Sql[]): Sql {
  return sql`concat_ws(' ', ${join(parts)})`
}

/**
 * An item of a list, scattered by the number of the record: the last bits of a product hardly differ, so the middle ones
 * decide.
 */
function pick(list: string[], prime: number): Sql {
  return raw(`(array['${list.join("','")}'])[1 + (n * ${prime} % 2147483647) / 8192 % ${list.length}]`)
}

/** A word that occurs in few names, composed of letters. */
function invented(letters: string[][]): Sql {
  const primes = [1566083999, 1099087643, 1274126197, 1406386601, 1190494759, 1367421007]
  return join(
    letters.map((list, n) => pick(list, primes[n] as number)),
    ' || ',
  )
}
