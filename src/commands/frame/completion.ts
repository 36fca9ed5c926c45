import type { Command } from './command.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const

/** A script for the shell, with every command and option in it: nothing is started when somebody presses Tab. */
export function completionFor(shell: (typeof SHELLS)[number], commands: Command[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands)
}

/** What may follow the words typed so far; the empty text for the beginning. */
function wordsAfter(commands: Command[]): Map<string, string[]> {
  const after = new Map<string, string[]>([['', ['help']]])
  const add = (words: string, next: string[]) => after.set(words, [...new Set([...(after.get(words) ?? []), ...next])])
  for (const { name, options, arguments: [first] = [] } of commands) {
    const [word = '', second] = name.split(' ')
    add('', [word])
    if (second !== undefined) add(word, [second])
    add(name, [...(first?.choices ?? []), ...Object.keys(options).map(option => `--${option}`), '--help'])
  }
  return after
}

/** By the option in front of the cursor. */
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
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=''
  local first="\${COMP_WORDS[1]}" second="\${COMP_WORDS[2]}" place=$COMP_CWORD
${casesOf(commands)}
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _diwan diwan
`
}

function zshScript(commands: Command[]): string {
  return `#compdef diwan
# Diwan, for zsh: source <(diwan completion zsh)
_diwan() {
  local before="\${words[CURRENT-1]}" typed=("\${words[@]}") words=''
  local first="$typed[2]" second="$typed[3]" place=$((CURRENT - 1))
${casesOf(commands)}
  compadd -- \${=words}
}
compdef _diwan diwan
`
}

/** For both shells: `place` is the number of the word under the cursor, of which the name of the program is 0. */
function casesOf(commands: Command[]): string {
  const after = [...wordsAfter(commands)].map(([words, next]) => `    ${quoted([words])}) words=${quoted(next)} ;;`)
  const choices = [...choicesOf(commands)].map(([name, values]) => `    --${name}) words=${quoted(values)} ;;`)
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
  return [...new Set(commands.filter(({ name }) => name.includes(' ')).map(({ name }) => name.split(' ')[0] as string))]
}

function fishScript(commands: Command[]): string {
  const lines = commands.flatMap(({ name, summary, options }) => {
    const [word = '', second] = name.split(' ')
    const seen = `__fish_seen_subcommand_from ${word}${second ? `; and __fish_seen_subcommand_from ${second}` : ''}`
    const names = second
      ? [
          `complete -c diwan -f -n __fish_use_subcommand -a ${word}`,
          `complete -c diwan -f -n '__fish_seen_subcommand_from ${word}' -a ${second} -d ${fishText(summary)}`,
        ]
      : [`complete -c diwan -f -n __fish_use_subcommand -a ${word} -d ${fishText(summary)}`]
    const ofOptions = Object.entries(options).map(([option, facts]) => {
      const choices =
        'choices' in facts && facts.choices ? ` -xa ${quoted(facts.choices)}` : facts.type === 'flag' ? '' : ' -r'
      return `complete -c diwan -n '${seen}' -l ${option}${choices} -d ${fishText(facts.help)}`
    })
    return [...names, ...ofOptions]
  })
  return `# Diwan, for fish: diwan completion fish | source\n${[...new Set(lines)].join('\n')}\n`
}

function fishText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
