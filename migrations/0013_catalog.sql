CREATE TABLE `family_counts` (
	`family` text PRIMARY KEY NOT NULL,
	`instruments` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `instruments` ADD `slug` text;--> statement-breakpoint
ALTER TABLE `instruments` ADD `search_id` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `instruments_slug` ON `instruments` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `instruments_search_id` ON `instruments` (`search_id`);--> statement-breakpoint
CREATE INDEX `instruments_on_sale_from_a_to_z` ON `instruments` ("name" COLLATE NOCASE,`id`) WHERE "instruments"."removed_at" IS NULL;--> statement-breakpoint
CREATE INDEX `instruments_on_sale_by_price` ON `instruments` (`price_cents`,`id`) WHERE "instruments"."removed_at" IS NULL;--> statement-breakpoint
CREATE INDEX `instruments_on_sale_by_family` ON `instruments` (`family`,`listed_at`,`id`) WHERE "instruments"."removed_at" IS NULL;
--> statement-breakpoint
-- Contentless: the texts stay in `instruments`. A space before the name makes its first word begin like the others, for `startOf`.
CREATE VIRTUAL TABLE `instrument_search` USING fts5(`name`, `details`, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1');
--> statement-breakpoint
UPDATE `instruments` SET `search_id` = `numbers`.`number` FROM (
  SELECT `id`, row_number() OVER (ORDER BY `listed_at`, `id`) AS `number` FROM `instruments`
) AS `numbers` WHERE `instruments`.`id` = `numbers`.`id`;
--> statement-breakpoint
-- The slug of the name, as `slugOf` makes it: letters and digits, with one hyphen in place of everything else.
WITH RECURSIVE `slugs` (`id`, `rest`, `text`) AS (
  SELECT `id`, lower(`name`), '' FROM `instruments`
  UNION ALL
  SELECT `id`, substr(`rest`, 2), `text` || CASE
    WHEN substr(`rest`, 1, 1) GLOB '[a-z0-9]' THEN substr(`rest`, 1, 1)
    WHEN `text` = '' OR `text` LIKE '%-' THEN ''
    ELSE '-' END
  FROM `slugs` WHERE `rest` <> ''
), `numbered` AS (
  SELECT `id`, rtrim(`text`, '-') AS `text`, row_number() OVER (PARTITION BY rtrim(`text`, '-') ORDER BY `id`) AS `number`
  FROM `slugs` WHERE `rest` = ''
)
UPDATE `instruments` SET `slug` = CASE WHEN `number` = 1 AND `text` <> '' THEN `text` ELSE trim(`text` || '-' || `instruments`.`id`, '-') END
FROM `numbered` WHERE `numbered`.`id` = `instruments`.`id`;
--> statement-breakpoint
INSERT INTO `instrument_search` (`rowid`, `name`, `details`)
  SELECT `search_id`, ' ' || `name`, concat_ws(' ', '', `family`, `brand`, `description`) FROM `instruments`
  WHERE `removed_at` IS NULL;
--> statement-breakpoint
INSERT INTO `family_counts` (`family`, `instruments`)
  SELECT `column1`, (SELECT count(*) FROM `instruments` WHERE `family` = `column1` AND `removed_at` IS NULL)
  FROM (VALUES ('strings'), ('brass'), ('woodwind'), ('cases'));
--> statement-breakpoint
CREATE TRIGGER `instruments_enter_the_catalog` AFTER INSERT ON `instruments`
BEGIN
  UPDATE `instruments` SET
    `search_id` = (SELECT coalesce(max(`search_id`), 0) + 1 FROM `instruments`),
    `slug` = coalesce(`slug`, `id`)
    WHERE `id` = NEW.`id`;
  INSERT INTO `instrument_search` (`rowid`, `name`, `details`)
    SELECT `search_id`, ' ' || `name`, concat_ws(' ', '', `family`, `brand`, `description`) FROM `instruments`
    WHERE `id` = NEW.`id` AND `removed_at` IS NULL;
  UPDATE `family_counts` SET `instruments` = `instruments` + 1 WHERE `family` = NEW.`family` AND NEW.`removed_at` IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `instruments_change_in_the_catalog` AFTER UPDATE OF `name`, `family`, `brand`, `description`, `removed_at` ON `instruments`
BEGIN
  DELETE FROM `instrument_search` WHERE `rowid` = OLD.`search_id`;
  INSERT INTO `instrument_search` (`rowid`, `name`, `details`)
    SELECT NEW.`search_id`, ' ' || NEW.`name`, concat_ws(' ', '', NEW.`family`, NEW.`brand`, NEW.`description`)
    WHERE NEW.`removed_at` IS NULL;
  UPDATE `family_counts` SET `instruments` = `instruments` - 1 WHERE `family` = OLD.`family` AND OLD.`removed_at` IS NULL;
  UPDATE `family_counts` SET `instruments` = `instruments` + 1 WHERE `family` = NEW.`family` AND NEW.`removed_at` IS NULL;
END;
--> statement-breakpoint
-- Links in search engines and feeds use it.
CREATE TRIGGER `instruments_keep_their_slug` BEFORE UPDATE OF `slug`, `search_id` ON `instruments`
WHEN OLD.`slug` IS NOT NULL AND OLD.`search_id` IS NOT NULL AND (NEW.`slug` IS NOT OLD.`slug` OR NEW.`search_id` IS NOT OLD.`search_id`)
BEGIN
  SELECT RAISE(ABORT, 'the slug of an instrument never changes');
END;
