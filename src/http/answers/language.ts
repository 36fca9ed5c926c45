import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '../../domain/languages.ts'
import { preferredLanguage } from '../requests/language.ts'
import { vary } from './vary.ts'

/** The language in which the caller wants to be answered; the answer says that it is in this one. */
export function languageFor(request: FastifyRequest, reply: FastifyReply): Language {
  const language = preferredLanguage(request.headers['accept-language'])
  reply.header('content-language', language)
  vary(reply, 'Accept-Language')
  return language
}
