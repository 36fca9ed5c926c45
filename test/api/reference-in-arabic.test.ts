import { describe, expect, it } from 'vitest'
import apiDescription from '../../openapi.json' with { type: 'json' }
import adminDescription from '../../openapi-admin.json' with { type: 'json' }
import { useApp } from '../support/app.ts'

const app = useApp()

const get = (path: string, acceptLanguage?: string) =>
  fetch(app.url + path, { headers: acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage } })

describe('The pages', () => {
  it.each([
    ['/', 'ar', 'ar'],
    ['/', 'en', 'en'],
    ['/?lang=ar', 'en', 'ar'],
    ['/docs?lang=ar', 'en', 'ar'],
    ['/docs?lang=en', 'ar', 'en'],
    ['/docs', 'ar', 'ar'],
    ['/docs', 'ar-SA, en;q=0.8', 'ar'],
    ['/docs', 'en, ar;q=0.8', 'en'],
    ['/docs', '', 'en'],
    ['/docs?lang=fr', 'ar', 'ar'],
    ['/docs?lang=fr', 'en', 'en'],
    ['/docs?lang=', 'ar', 'ar'],
    ['/docs?lang=ar&lang=en', 'en', 'en'],
    ['/docs?lang=%3Cscript%3E', 'en', 'en'],
  ])('%s with Accept-Language %j is in %s', async (path, accepted, language) => {
    const answer = await get(path, accepted)
    const direction = language === 'ar' ? 'rtl' : 'ltr'
    expect([answer.status, answer.headers.get('content-language')]).toEqual([200, language])
    expect(await answer.text()).toContain(`<html lang="${language}" dir="${direction}">`)
  })

  it('depend on Accept-Language only when their address names no language', async () => {
    for (const path of ['/', '/docs']) {
      expect((await get(path, 'ar')).headers.get('vary')).toBe('Accept-Language')
      expect((await get(path, 'en')).headers.get('vary')).toBe('Accept-Language')
      expect((await get(`${path}?lang=ar`, 'en')).headers.get('vary')).toBeNull()
    }
  })

  it('lead to the other language', async () => {
    expect(await (await get('/?lang=ar')).text()).toContain('<a href="/?lang=en" lang="en" hreflang="en">')
    expect(await (await get('/?lang=ar')).text()).toContain('<a href="/docs?lang=ar">')
  })

  it('of the reference lead to the other language, and let no script run but their own', async () => {
    for (const [language, other] of [
      ['ar', 'en'],
      ['en', 'ar'],
    ]) {
      const answer = await get(`/docs?lang=${language}`)
      expect(await answer.text()).toContain(`<a href="/docs?lang=${other}" lang="${other}" hreflang="${other}">`)
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/=]+')+;/)
    }
  })
})

describe('The description', () => {
  it.each([
    ['/openapi.json', apiDescription],
    ['/admin/openapi.json', adminDescription],
  ])('%s is the same for every program, whatever language its machine prefers', async (path, committed) => {
    for (const query of ['', '?lang=en', '?lang=fr', '?lang=ar&lang=ar'])
      expect(await (await get(path + query, 'ar')).json()).toEqual(committed)
  })

  it.each([
    ['/openapi.json', 'API ديوان', 'المشاريع'],
    ['/admin/openapi.json', 'إدارة ديوان', 'الشركات'],
  ])('%s is in Arabic when its address asks for that', async (path, title, group) => {
    const answer = await get(`${path}?lang=ar`, 'en')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    const { info, tags } = (await answer.json()) as typeof apiDescription
    expect(info.title).toBe(title)
    expect(tags).toContainEqual(expect.objectContaining({ 'x-displayName': group }))
    const english = (await get(path)).headers.get('etag')
    expect(answer.headers.get('etag')).not.toBe(english)
  })
})
