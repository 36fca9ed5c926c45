/** The URL for each of the hosts that it names: `postgres://db-1,db-2:5433/x` is two. */
export function eachHost(url: string): string[] {
  const begin = url.indexOf('//') + 2
  const length = url.slice(begin).search(/[/?#]/)
  const end = length < 0 ? url.length : begin + length
  const hosts = url.lastIndexOf('@', end) < begin ? begin : url.lastIndexOf('@', end) + 1
  return url
    .slice(hosts, end)
    .split(',')
    .map(host => url.slice(0, hosts) + host + url.slice(end))
}
