# Writes the archive of a list as Sympa does: MHonArc converts the messages of each month with Sympa's resource file, and its
# result is evaluated inside of Sympa's page for archives. sympa_pages.pl <templates> <mbox> <site>
use strict; use warnings;
use Template; use Time::Local; use POSIX qw(strftime);
my ($templates, $mbox, $site) = @ARGV;
my %number = (Jan => 1, Feb => 2, Mar => 3, Apr => 4, May => 5, Jun => 6, Jul => 7, Aug => 8, Sep => 9, Oct => 10, Nov => 11, Dec => 12);
my (%months, $mail);
my $keep = sub {
    return unless defined $mail && $mail =~ /^Date: \w+, (\d+) (\w+) (\d+)/m;
    push @{$months{sprintf "%04d-%02d", $3, $number{$2}}}, $mail;
};
open my $in, "<", $mbox or die $!;
while (<$in>) { if (/^From /) { $keep->(); $mail = "" } $mail .= $_ }
$keep->();
my %calendar;
for (keys %months) { my ($year, $month) = split /-/; $calendar{$year}{$month} = scalar @{$months{$_}} }
my $text = sub { my ($context, @values) = @_; sub { my $said = shift; $said =~ s/%(\d+)/$values[$1 - 1] \/\/ ""/ge; $said } };
my $date = sub { my ($context, $value) = @_; sub { my $form = shift;
    my ($year, $month, $day) = $value =~ /^(\d{4})\D?(\d\d)\D?(\d\d)?/ or return $value;
    strftime($form, gmtime timegm(0, 0, 12, $day // 1, $month - 1, $year)) } };
my $url = sub { my ($context, $path) = @_; sub { my $action = shift; "/sympa/" . join "/", $action, @{$path // []} } };
my $tt = Template->new({ INCLUDE_PATH => ["$templates/web_tt2", $templates], FILTERS => {
    loc => [$text, 1], locdt => [$date, 1], helploc => [$text, 1], url_rel => [$url, 1], url_abs => [$url, 1], obfuscate => [sub { sub { shift } }, 1],
    (map { ($_ => [sub { sub { shift } }, 1]) } qw(mailto mailtourl mailbox wrap l)), optdesc => [sub { sub { shift } }, 1], canonic_email => sub { lc shift }, unescape => sub { shift },
    (map { ($_ => sub { shift }) } qw(escape_cstr escape_xml escape_url qencode decode_utf8 encode_utf8)),
} }) or die Template->error;
my %page = (path_cgi => "/sympa", list => "talk", archive_name => "", domain => "lists.example.org", lang => "en", charset => "utf-8", action => "arc",
    main_title => "Mailing lists of example.org", title => "talk - The list of the valley", list_title => "The list of the valley", calendar => \%calendar,
    version => "6.2.70", is_arc => 1, arc_access => 1, arc_public_access => 1, static_content_url => "/static-sympa");
for my $month (sort keys %months) {
    my ($year, $number) = split /-/, $month;
    my $folder = "$site/sympa/arc/talk/$month";
    system "mkdir", "-p", $folder;
    open my $out, ">", "months/$month.mbox" or die $!; print $out @{$months{$month}}; close $out;
    system("mhonarc", "-quiet", "-addressmodifycode", "1", "-rcfile", "$templates/mhonarc_rc.tt2", "-outdir", $folder, "-definevars",
        "listname='talk' hostname=lists.example.org yyyy=$year mois=$number yyyymm=$month wdir=$site base=/sympa/arc with_tslice=1 with_powered_by=1",
        "months/$month.mbox") == 0 or die "mhonarc failed for $month";
    # Without the name of a file, Sympa shows the list of the month by thread.
    system "cp", "$folder/thrd1.html", "$folder/index.html";
    for my $file (glob "$folder/*.html") {
        local $/; open my $read, "<", $file or die $!; my $html = <$read>; close $read;
        $tt->process("main.tt2", { %page, html_content => $html, yyyy => $year, month => $number }, \my $whole) or die $tt->error;
        open my $write, ">", $file or die $!; print $write $whole; close $write;
    }
}
