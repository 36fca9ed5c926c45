import type { Command } from './command.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const

/** A shell script with every command and option in it: nothing is started when somebody presses Tab. */
export function completionFor(shell: (typeof SHELLS)[number], commands: Command[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands)
}

/** What may follow the words typed so far; the empty text stands for the beginning. */
function wordsAfter(commands: Command[]): Map<string, string[]> {
  const after = new Map<string, string[]>([['', ['help']]])
  const add = (words: string, next: string[]) => after.set(words, [...new Set([...(after.get(words) ?? []), ...next])])
  for (const { name, options, arguments: [first] = [] } of commands) {
    const [word = '', second] = name.split(' ')
    add('', [word])
    add('help', [word])
    if (second !== undefined) {
      add(word, [second])
      add(`help ${word}`, [second])
    }
    add(name, [...(first?.choices ?? []), ...Object.keys(options).map(option => `--${option}`), '--help'])
  }
  return after
}

/** By the option before the cursor. */
function choicesOf(commands: Command[]): Map<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  for (const { options } of commands)
    for (const [name, option] of Object.entries(options))
      if ('choices' in option && option.choices)
        found.set(name, new Set([...(found.get(name) ?? []), ...option.choices]))
  return new Map([...found].map(([name, choices]) => [name, [...choices]]))
}

const quoted = (words: readonly string[]) => `'${words.join(' ')}'`

function bashScript(commands: Command[]): string {
  return `# Diwan, for bash: source <(diwan completion bash)
_diwan() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" next=''
  local first="\${COMP_WORDS[1]}" second="\${COMP_WORDS[2]}" place=$COMP_CWORD
${casesOf(commands)}
  COMPREPLY=($(compgen -W "$next" -- "$current"))
}
complete -o default -F _diwan diwan
`
}

/** It is sourced, or stored as `_diwan` in a folder of fpath: then the whole file is the function that zsh calls first. */
function zshScript(commands: Command[]): string {
  return `#compdef diwan
# Diwan, for zsh, after compinit: source <(diwan completion zsh)
_diwan() {
  local before="\${words[CURRENT-1]}" next=''
  local first="$words[2]" second="$words[3]" place=$((CURRENT - 1))
${casesOf(commands)}
  compadd -- \${=next} || _files
}
if [ "$funcstack[1]" = _diwan ]; then _diwan; else compdef _diwan diwan; fi
`
}

/** For both shells: `place` is the index of the word under the cursor, where the name of the program is 0. */
function casesOf(commands: Command[]): string {
  const after = [...wordsAfter(commands)].map(([words, next]) => `    ${quoted([words])}) next=${quoted(next)} ;;`)
  const choices = [...choicesOf(commands)].map(([name, values]) => `    --${name}) next=${quoted(values)} ;;`)
  return `  local key=''
  if [ $place -gt 1 ]; then key=$first; fi
  case "$key" in ${groupsOf(commands).join('|')}) if [ $place -gt 2 ]; then key="$first $second"; fi ;; esac
  case "$key" in
${after.join('\n')}
  esac
  case "$before" in
${choices.join('\n')}
  esac`
}

function groupsOf(commands: Command[]): string[] {
  const groups = commands.filter(({ name }) => name.includes(' ')).map(({ name }) => name.split(' ')[0] as string)
  return [...new Set(['help', ...groups])]
}

function fishScript(commands: Command[]): string {
  const summaries = new Map(commands.map(({ name, summary }) => [name, summary]))
  const words = [...wordsAfter(commands)].flatMap(([typed, next]) =>
    next
      .filter(word => !word.startsWith('--'))
      .map(word => {
        const summary = summaries.get(`${typed} ${word}`.replace(/^help |^ /, ''))
        return `complete -c diwan -f -n '__diwan_typed ${typed}' -a ${word}${summary ? ` -d ${fishText(summary)}` : ''}`
      }),
  )
  return `# Diwan, for fish: diwan completion fish | source
# Whether these are the words between the name of the program and the cursor, or how they begin.
function __diwan_typed
  set -l words (commandline -opc)
  test "$words[2..]" = "$argv"
end
function __diwan_begins
  set -l words (commandline -opc)
  test "$words[2..$(math 1 + (count $argv))]" = "$argv"
end
${[...words, ...commands.flatMap(fishOptions)].join('\n')}
`
}

function fishOptions({ name, options }: Command): string[] {
  const line = `complete -c diwan -n '__diwan_begins ${name}' -l`
  const own = Object.entries(options).map(([option, facts]) => {
    const choices = 'choices' in facts ? facts.choices : undefined
    const value = choices ? ` -xa ${quoted(choices)}` : facts.type === 'flag' ? '' : ' -r'
    return `${line} ${option}${value} -d ${fishText(facts.help)}`
  })
  return [...own, `${line} help -d 'Explain the command'`]
}

function fishText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
