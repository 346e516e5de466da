-- What an order may not forget either: that its customer is told, once a row of the journal, and that nothing payable is left
-- behind by an order that is cancelled.

CREATE TRIGGER `journal_writes_letters` AFTER INSERT ON `journal`
WHEN NEW.`event` IN ('order placed', 'order paid', 'order shipped', 'order cancelled', 'refund made')
BEGIN
  INSERT INTO `mails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`, `journal_id`)
    SELECT NEW.`event` || ':' || `orders`.`id` || CASE NEW.`event` WHEN 'refund made' THEN ':' || NEW.`note` ELSE '' END,
      `customer_email`, '', '', '', NEW.`at`, NEW.`at`, NEW.`id`
    FROM `orders` WHERE `orders`.`id` = NEW.`order_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `refunds_made` AFTER UPDATE OF `refund_id` ON `refunds` WHEN OLD.`refund_id` IS NULL AND NEW.`refund_id` IS NOT NULL
BEGIN
  INSERT INTO `journal` (`at`, `event`, `actor`, `order_id`, `note`)
    VALUES (NEW.`made_at`, 'refund made', 'shop', NEW.`order_id`, NEW.`transaction_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `refunds_are_made_once` BEFORE UPDATE ON `refunds` WHEN OLD.`refund_id` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a refund that is made is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `orders_are_unpayable_when_cancelled` BEFORE UPDATE OF `state` ON `orders`
WHEN NEW.`state` = 'cancelled' AND EXISTS (SELECT 1 FROM `payment_attempts` WHERE `order_id` = OLD.`id` AND `state` <> 'closed')
BEGIN
  SELECT RAISE(ABORT, 'an order that can still be paid is not cancelled');
END;
--> statement-breakpoint
DROP TRIGGER `orders_keep_their_terms`;
--> statement-breakpoint
CREATE TRIGGER `orders_keep_their_terms` BEFORE UPDATE OF `id`, `customer_id`, `instrument_id`, `submission_id`, `product_name`,
  `unit_price_cents`, `quantity`, `total_cents`, `customer_email`, `created_at`, `hold_until` ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'the terms of an order are never changed');
END;
