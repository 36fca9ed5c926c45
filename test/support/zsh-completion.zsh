# Prints what zsh offers when somebody types a line and presses Tab: zsh -f zsh-completion.zsh SCRIPT LINE
# Completion works only in an interactive shell, so one runs in its own terminal. It writes what is offered to a file.
zmodload zsh/zpty
offered=$(mktemp)
export SCRIPT=$1 OFFERED=$offered

zpty shell zsh -f -i
zpty -w shell 'autoload -Uz compinit && compinit -D; source $SCRIPT'
zpty -w shell 'compadd() { local -a found; builtin compadd -A found "$@"; print -rl -- $found >> $OFFERED; builtin compadd "$@" }'
zpty -w shell 'tell() { print -- END >> $OFFERED }; comppostfuncs=(tell); print READ\Y'
# The shell echoes what was just typed as READ\Y, which does not match.
zpty -r shell said '*READY*'
zpty -w -n shell "$2"$'\t'

repeat 300 { grep -q END $offered && break; sleep 0.1 }
grep -v '^END$' $offered
zpty -d shell
rm -f $offered
