# The values that `bivalve sim --all` prints, a line for each signal, frames from left to right.
#
# bivalve sim --witness W --all SYSTEM | awk -v names="push tail memory[00]" -f frames.awk

# `3 001 tail#2`, `0 [00] 0101 memory#2` in frame 2; `0101 first` for outputs and other names.
NF >= 2 && !/^witness/ {
  name = $NF
  sub("[#@].*", "", name)
  if ($2 ~ /^\[/) name = name $2
  row[name] = row[name] sprintf("%6s", $(NF - 1))
}

END {
  count = split(names, list)
  for (i = 1; i <= count; i++) printf "%-10s%s\n", list[i], row[list[i]]
}
