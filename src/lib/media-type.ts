const UTF8 = ['utf-8', 'utf8', '"utf-8"', '"utf8"']

/** True for a content type of JSON in UTF-8. Parameters other than the charset mean nothing to us, so any are accepted. */
export function isJsonInUtf8(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  return isJson(type.trim()) && parameters.every(isNoOtherCharset)
}

function isJson(type: string): boolean {
  return type === 'application/json' || /^application\/[\w.+-]+\+json$/.test(type)
}

function isNoOtherCharset(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=')
  return name.trim() !== 'charset' || UTF8.includes(value.trim())
}
