/* PDF names may be written with any letter as #xx, which is why each letter here has two spellings. */

private rule is_pdf
{
  strings:
    $header = /\xFFSTART\xFF.{0,1024}%PDF-/s
  condition:
    $header
}

rule pdf_that_launches_a_program
{
  meta:
    finding = "Pdf.Launch"
  strings:
    $launch = /\/(L|#4[Cc])(a|#61)(u|#75)(n|#6[Ee])(c|#63)(h|#68)[^A-Za-z0-9#]/
  condition:
    is_pdf and $launch
}

/* Scripts of form fields are ordinary; a script that runs because the document or a page was opened is not. */
rule pdf_that_runs_a_script_when_opened
{
  meta:
    finding = "Pdf.AutoScript"
  strings:
    $script = /\/(J|#4[Aa])(a|#61)(v|#76)(a|#61)(S|#53)(c|#63)(r|#72)(i|#69)(p|#70)(t|#74)[^A-Za-z0-9#]/
    // A destination, written as [ or (, only says where to begin reading.
    $open = /\/(O|#4[Ff])(p|#70)(e|#65)(n|#6[Ee])(A|#41)(c|#63)(t|#74)(i|#69)(o|#6[Ff])(n|#6[Ee])\s{0,32}(<<|\d{1,10}\s)/
    $page = /\/(A|#41)(A|#41)\s{0,32}<<\s{0,32}\/(O|#4[Ff])[\s<\d]/
  condition:
    is_pdf and $script and ($open or $page)
}
