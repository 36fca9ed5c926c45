import { expect, it } from 'vitest'
import apiDescription from '../../openapi.json' with { type: 'json' }
import adminDescription from '../../openapi-admin.json' with { type: 'json' }
import { useApp } from '../support/app.ts'

const app = useApp()

const get = (path: string, acceptLanguage?: string) =>
  fetch(app.url + path, { headers: acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage } })

it('The pages are in the language of their address, or else of the browser, and lead to the other', async () => {
  for (const [path, accepted, language] of [
    ['/', 'ar', 'ar'],
    ['/?lang=ar', 'en', 'ar'],
    ['/docs?lang=ar', 'en', 'ar'],
    ['/docs?lang=en', 'ar', 'en'],
    ['/docs', 'ar-SA, en;q=0.8', 'ar'],
    ['/docs', 'en, ar;q=0.8', 'en'],
    ['/docs', '', 'en'],
    ['/docs?lang=fr', 'ar', 'ar'],
    ['/docs?lang=', 'ar', 'ar'],
    ['/docs?lang=ar&lang=en', 'en', 'en'],
    ['/docs?lang=%3Cscript%3E', 'en', 'en'],
  ] as const) {
    const { status, headers, text } = await get(path, accepted).then(async answer => ({
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
    }))
    expect([path, status, headers.get('content-language')]).toEqual([path, 200, language])
    expect(text).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    const vary = /lang=(ar|en)$/.test(path) && !path.includes('&') ? null : 'Accept-Language'
    expect([path, headers.get('vary')]).toEqual([path, vary])
    const [page, other] = [path.split('?')[0], language === 'ar' ? 'en' : 'ar']
    expect(text).toContain(`<a href="${page}?lang=${other}" lang="${other}" hreflang="${other}">`)
    const policy = headers.get('content-security-policy')
    if (page === '/docs') expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/=]+')+;/)
  }
})

it.each([
  ['/openapi.json', apiDescription, 'API ديوان', 'المشاريع'],
  ['/admin/openapi.json', adminDescription, 'إدارة ديوان', 'الشركات'],
])(
  '%s is the same for every program, and in Arabic when its address asks for that',
  async (path, committed, title, group) => {
    for (const query of ['', '?lang=en', '?lang=fr', '?lang=ar&lang=ar'])
      expect(await (await get(path + query, 'ar')).json()).toEqual(committed)
    const answer = await get(`${path}?lang=ar`, 'en')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    const { info, tags } = (await answer.json()) as typeof apiDescription
    expect(info.title).toBe(title)
    expect(tags).toContainEqual(expect.objectContaining({ 'x-displayName': group }))
    expect(answer.headers.get('etag')).not.toBe((await get(path)).headers.get('etag'))
  },
)
