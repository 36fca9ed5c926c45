import type { Language } from '../../domain/languages.ts'

interface Words {
  direction: 'ltr' | 'rtl'
  /** The name of the product, and as it is in the other language. */
  title: string
  lead: string
  console: [name: string, what: string]
  reference: [name: string, what: string]
  description: [name: string, what: string, postman: string]
  api: string
  other: { language: Language; name: string }
}

const KEY = '<code dir="ltr">Authorization: Bearer svc_api_…</code>'
const PATH = '<code dir="ltr">/api/v1</code>'

const WORDS: Record<Language, Words> = {
  en: {
    direction: 'ltr',
    title: 'Diwan <span lang="ar" dir="rtl">ديوان</span>',
    lead: 'Project management that a company drives through a JSON REST API.',
    console: ['Console', 'Keys, usage, people and the work itself, for owners and the operator'],
    reference: ['API reference', 'Every endpoint, with examples to copy and to try'],
    description: ['OpenAPI description', 'For generators and tools;', 'for Postman'],
    api: `The API is served under ${PATH}. Every request carries a key: ${KEY}`,
    other: { language: 'ar', name: 'العربية' },
  },
  ar: {
    direction: 'rtl',
    title: 'ديوان <span lang="en" dir="ltr">Diwan</span>',
    lead: 'إدارة المشاريع للشركات عبر JSON REST API.',
    console: ['لوحة التحكم', 'المفاتيح والاستخدام والأشخاص والعمل نفسه، للمالكين والمشغِّل'],
    reference: ['مرجع API', 'كل نقطة اتصال مع أمثلة تُنسخ وتُجرَّب'],
    description: ['وصف OpenAPI', 'للمولّدات والأدوات؛', 'ولبرنامج Postman'],
    api: `عنوان API هو ${PATH}. يحمل كل طلب مفتاحًا: ${KEY}`,
    other: { language: 'en', name: 'English' },
  },
}

export const FRONT_PAGES: Record<Language, string> = { en: pageIn('en'), ar: pageIn('ar') }

function pageIn(language: Language): string {
  const { direction, title, lead, console, reference, description, api, other } = WORDS[language]
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${language === 'ar' ? 'ديوان' : 'Diwan'}</title>
<link rel="icon" href="/favicon.svg">
<style>
  :root { color-scheme: light dark; font-family: system-ui, "Noto Sans Arabic", sans-serif; line-height: 1.6 }
  body { max-width: 38rem; margin: 12vh auto; padding: 0 1.5rem }
  h1 { font-size: 2.5rem; margin: 0 0 .25rem }
  h1 span { opacity: .55; font-weight: 400 }
  ul { list-style: none; padding: 0; margin: 2rem 0 }
  li { margin: 0 0 1rem }
  a { font-weight: 600; text-decoration-thickness: 1px; text-underline-offset: .2em }
  code { font-size: .9em }
  small { display: block; opacity: .7 }
</style>
</head>
<body>
<h1>${title}</h1>
<p>${lead}</p>
<ul>
  <li><a href="/console">${console[0]}</a><small>${console[1]}</small></li>
  <li><a href="/docs?lang=${language}">${reference[0]}</a><small>${reference[1]}</small></li>
  <li><a href="/openapi.json">${description[0]}</a><small>${description[1]} <a href="/postman.json">${description[2]}</a></small></li>
</ul>
<p>${api}</p>
<p><a href="/?lang=${other.language}" lang="${other.language}" hreflang="${other.language}">${other.name}</a></p>
</body>
</html>
`
}
